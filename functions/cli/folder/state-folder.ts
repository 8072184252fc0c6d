import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LockkeeperError } from '../../../shared/errors/error.ts';

/**
 * Makes the folder in which the embedded stack keeps its state: for its owner alone, and ignored by git. What `--sim` runs
 * against has a folder of its own inside, so that fake and real never meet.
 *
 * @returns its path. @throws LockkeeperError STATE_FOLDER when it cannot be made.
 */
export function stateFolder(cwd: string, stateDir: string, sim: boolean): string {
  const top = resolve(cwd, stateDir);
  const folder = sim ? join(top, 'sim') : top;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    ignoreEverything(top);
  } catch (error) {
    throw new LockkeeperError({ code: 'STATE_FOLDER', message: `${folder} cannot be used: ${(error as Error).message}` }, { cause: error });
  }
  return folder;
}

function ignoreEverything(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
