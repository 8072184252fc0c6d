import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Guard, guardJob } from './guard.ts';

/** A folder for one job alone. */
export interface PrivateFolder {
  readonly path: string;
  /** Removes it should this process die. */
  readonly guard: Pick<Guard, 'watch' | 'rest'>;
  /** Never throws: what became of the work is told whatever becomes of the folder. */
  remove(): void;
}

/**
 * Makes a folder that nobody else may enter. It has the same name each time where it can, as in a container of the job's own: some
 * configurations have the path of their folder in a value, and two plans of one commit have to be the same.
 */
export function makePrivateFolder(tmp: string): PrivateFolder {
  const path = fresh(join(realpathSync(tmp), 'lockkeeper-tool'));
  const guard = guardJob(path);
  function remove(): void {
    if (isRemoved(path)) guard.release();
    else guard.abandon();
  }
  return { path, guard, remove };
}

function fresh(name: string): string {
  try {
    mkdirSync(name, { mode: 0o700 });
    return name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return mkdtempSync(`${name}-`);
  }
}

function isRemoved(path: string): boolean {
  for (const before of [() => undefined, () => makeWritable(path)]) {
    try {
      before();
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      return true;
    } catch {
      // Tools leave folders that nobody may write into, as caches of modules are.
    }
  }
  return false;
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
