import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Invocation } from '../invocation.ts';

/** @throws LockkeeperError USAGE for ways of printing that exclude each other, and for a file that cannot be written: before anything is read. */
export function judgePrinting({ stream, text, json, output }: Pick<Invocation, 'stream' | 'text' | 'json' | 'output'>, cwd: string): void {
  const named = [stream ? '--stream' : '', text ? '--text' : '', json ? '--json' : ''].filter((flag) => flag !== '');
  if (named.length > 1)
    throw new LockkeeperError({ code: 'USAGE', message: `${named.join(' and ')} are two ways to print the same.`, hint: 'Leave one of them out.' });
  if (output !== undefined) judgeFile(resolve(cwd, output), output);
}

/** @throws LockkeeperError USAGE where nothing can be written under this name. */
function judgeFile(path: string, name: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(name, error);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(name, { code: 'it is a folder' });
}

/** Of the system's words only the code: they name the file once more. */
export function unwritable(name: string, error: unknown): LockkeeperError {
  const { code = 'the system does not say why' } = error as { readonly code?: string };
  return new LockkeeperError({ code: 'USAGE', message: `${name} cannot be written: ${code}.`, hint: 'Name another file with -o.' });
}
