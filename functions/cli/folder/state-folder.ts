import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
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
    makeFolder(folder);
    ignoreEverything(top);
  } catch (error) {
    throw new LockkeeperError({ code: 'STATE_FOLDER', message: `${folder} cannot be used: ${(error as Error).message}` }, { cause: error });
  }
  return folder;
}

/**
 * The same for a command that only reads: where there is no state yet it reads an empty one, which is gone with it.
 *
 * @returns its path, and how to leave it. @throws LockkeeperError STATE_FOLDER.
 */
export function folderToRead(cwd: string, stateDir: string, sim: boolean): { readonly folder: string; readonly leave: () => void } {
  const top = resolve(cwd, stateDir);
  if (existsSync(sim ? join(top, 'sim') : top)) return { folder: stateFolder(cwd, stateDir, sim), leave: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-nothing-'));
  return { folder, leave: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Folder by folder: Node's own recursion goes round in circles where the system says that a folder exists and cannot be made. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function ignoreEverything(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
