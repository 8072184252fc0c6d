import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { largestSourceBytes, sourceTooLarge } from '../../stacks/source-size.ts';
import { packedFiles, type TarFile } from '../tar-file.ts';
import { type Git, gitFailed } from './git.ts';

/** Nobody's source, be it ignored or not: git's own, our state with its keys, and what the tool fetched for this machine. */
const notSource = new Set(['.git', '.lockkeeper', '.terraform']);

/**
 * The files of a commit, as a gzipped tar below one folder. What is checked out is taken as it lies there, edits and new files with it but for
 * what git ignores: whoever types a command means the plan, and so the stacks, that they see. Any other commit is taken as it was made.
 *
 * @throws LockkeeperError SOURCE_TOO_LARGE; GIT_FAILED for a commit that git does not know.
 */
export async function archiveOf(git: Git, folder: string, commit: string): Promise<Uint8Array> {
  if (commit.startsWith('-')) throw gitFailed(`${commit} is no commit`);
  if (!git.inRepository()) return packedWork(folder, await filesBelow(folder));
  if ((await git.line('rev-parse', '--verify', '--quiet', 'HEAD')) === commit) {
    const { bytes } = await git.ask('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate');
    const paths = bytes
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '');
    return packedWork(
      folder,
      paths.filter((path) => !path.split('/').some((part) => notSource.has(part))),
    );
  }
  const { bytes } = await git.askLong(largestSourceBytes, sourceTooLarge, 'archive', '--format=tar.gz', '--prefix=source/', commit);
  return bytes;
}

/** Deleted since git listed it, or another repository: nothing of ours. */
async function packedWork(folder: string, paths: readonly string[]): Promise<Uint8Array> {
  const files: TarFile[] = [];
  let left = 4 * largestSourceBytes;
  for (const path of paths) {
    const at = join(folder, path);
    const found = await lstat(at).catch(() => undefined);
    if (found?.isSymbolicLink()) files.push({ path, body: new Uint8Array(), link: await readlink(at) });
    if (!found?.isFile()) continue;
    left -= found.size;
    // Before it is read: an ignored-by-nobody dump of a database must not fill the memory.
    if (left < 0) throw sourceTooLarge();
    files.push({ path, body: await readFile(at), executable: (found.mode & 0o100) !== 0 });
  }
  const packed = packedFiles(files);
  if (packed.length > largestSourceBytes) throw sourceTooLarge();
  return packed;
}

async function filesBelow(folder: string, path = ''): Promise<string[]> {
  const entries = (await readdir(join(folder, path), { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  // A state folder of another name says so itself.
  if (path !== '' && (await readFile(join(folder, path, '.gitignore'), 'utf8').catch(() => '')) === '*\n') return [];
  const found: string[] = [];
  for (const entry of entries) {
    if (notSource.has(entry.name) || entry.name === 'node_modules') continue;
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, below)));
    else found.push(below);
  }
  return found;
}
