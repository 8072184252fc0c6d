import type { FileAnswer } from '../../ports/code-host.ts';
import { type Git, gitFailed } from './git.ts';

/** A file's bytes at a commit. The tree is asked first: git's error for a path that is not there is no other than for a broken repository. */
export async function fileAt(git: Git, path: string, commit: string): Promise<FileAnswer> {
  if (commit.startsWith('-')) throw gitFailed(`${commit} is no commit`);
  // Entries are `<mode> <type> <id>\t<path>`, ended by NUL; a link is a blob of mode 120000.
  const { bytes } = await git.ask('--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path);
  const [mode, type, id = ''] = bytes.toString('utf8').split(/[ \t]/, 3);
  if (!mode) return undefined;
  if (type !== 'blob' || mode === '120000') return 'not-a-file';
  return (await git.ask('cat-file', 'blob', id)).bytes;
}
