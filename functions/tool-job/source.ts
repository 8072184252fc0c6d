import { existsSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type TarEntry, tarEntries } from './tar.ts';
import { ToolFailed } from './tool-failed.ts';

/**
 * Unpacks a commit's files, without the one folder that they lie in, into `folder`. Nothing comes to lie outside: links are made last, so
 * that nothing is written through one, and each has to lead to something inside. One that leads nowhere is left out, as is one into a
 * submodule.
 *
 * @throws ToolFailed `source-unusable`
 */
export function unpackSource(packed: Uint8Array, folder: string): void {
  const links: Extract<TarEntry, { is: 'link' }>[] = [];
  mkdirSync(folder, { mode: 0o700 });
  try {
    for (const entry of tarEntries(packed)) {
      const path = placeOf(entry.path, folder);
      if (path === undefined) continue;
      if (entry.is === 'link') links.push({ ...entry, path });
      else if (entry.is === 'folder') mkdirSync(path, { recursive: true, mode: 0o700 });
      else {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, entry.body, { mode: entry.executable ? 0o700 : 0o600, flag: 'wx' });
      }
    }
    for (const { path, to } of links) makeLink(path, to, folder);
    for (const { path } of links) keepInside(path, folder);
  } catch (error) {
    throw error instanceof ToolFailed ? error : unusable(error instanceof Error && !('code' in error) ? error.message : 'it cannot be unpacked');
  }
}

/** Where an entry goes; undefined for the folder around everything. */
function placeOf(name: string, folder: string): string | undefined {
  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  if (name.startsWith('/') || name.includes('\0') || name.includes('\\') || steps.includes('..')) throw unusable('a file of it would lie outside');
  const [, ...inside] = steps;
  return inside.length === 0 ? undefined : join(folder, ...inside);
}

function makeLink(path: string, to: string, folder: string): void {
  if (!isInside(resolve(dirname(path), to), folder)) throw unusable('a link of it leads out of the repository');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) throw unusable('it has one name twice');
  symlinkSync(to, path);
}

/** Where a link leads through other links is known only when all are there. */
function keepInside(path: string, folder: string): void {
  let leads: string;
  try {
    leads = realPath(path);
  } catch {
    rmSync(path, { force: true });
    return;
  }
  if (!isInside(leads, realPath(folder))) throw unusable('a link of it leads out of the repository');
}

/** As the system resolves it: Node.js's own way takes `..` behind a link for the folder that the link is in. */
const realPath = realpathSync.native;

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);

const unusable = (why: string): ToolFailed => new ToolFailed({ cause: 'source-unusable', message: `The commit's files cannot be used: ${why}.` });

/**
 * A folder or file that the line names, absolute.
 *
 * @param from where `path` starts: a folder in `source`.
 * @throws ToolFailed `source-unusable` when there is no such thing in the source, or it leads out of it.
 */
export function pathInSource(source: string, from: string, path: string, is: 'folder' | 'file'): string {
  const wanted = resolve(from, path);
  const named = relative(source, wanted) || '.';
  const found = isInside(wanted, source) && existsSync(wanted) ? realPath(wanted) : undefined;
  if (found === undefined || !isInside(found, realPath(source))) throw unusable(`there is no ${is} ${named.startsWith('..') ? 'of that name' : named} in them`);
  const there = statSync(found);
  if (is === 'folder' ? !there.isDirectory() : !there.isFile()) throw unusable(`${named} is no ${is}`);
  return found;
}
