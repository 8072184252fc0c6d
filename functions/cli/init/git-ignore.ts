import { appendFileSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Has git ignore the state folder.
 *
 * @returns the line that is missing from `.gitignore`, undefined when git ignores the folder already or it lies elsewhere.
 */
export function missingIgnore(cwd: string, stateDir: string): string | undefined {
  const name = stateDir.replace(/^\.\//, '').replace(/\/+$/, '');
  if (isAbsolute(name) || name.startsWith('..') || name === '') return undefined;
  const there = ignored(cwd)
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^\//, '').replace(/\/$/, ''));
  return there.includes(name) ? undefined : `${name}/`;
}

/** Adds the line at the end; what is there stays as it is. */
export function addIgnore(cwd: string, line: string): void {
  const text = ignored(cwd);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  appendFileSync(join(cwd, '.gitignore'), `${text === '' || text.endsWith('\n') ? '' : newline}${line}${newline}`);
}

function ignored(cwd: string): string {
  try {
    return readFileSync(join(cwd, '.gitignore'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
