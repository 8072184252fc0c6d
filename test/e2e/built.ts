/** One folder for what several test files build alike: the first to need it builds it, and it goes when the test run ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly built: string;
  }
}

/** Called by vitest before the first file of the project. Returns what it calls after the last one. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-built-'));
  project.provide('built', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
