import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Guard, guardJob } from './guard.ts';

/** A folder for one job alone. */
export interface PrivateFolder {
  readonly path: string;
  /** Removes it should this process die. */
  readonly guard: Guard;
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
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    guard.release();
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
