import { LockkeeperError } from '../../errors/error.ts';
import type { FileAnswer } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

/**
 * A file's bytes at a commit, up to 16 MiB, by the raw media type, which GitHub gives for files up to 100 MB.
 * https://docs.github.com/en/rest/repos/contents#get-repository-content
 *
 * @returns `not-a-file` for what GitHub has no bytes of (a folder, a submodule, a link to nowhere), undefined where the commit has nothing
 * there. A commit that GitHub does not know is an error: taken for a commit without the file, it would end a run that has just begun.
 */
export async function fileAt(api: RepositoryApi, path: string, commit: string): Promise<FileAnswer> {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  try {
    const answer = await api.send({ route: `GET /contents/${encoded}`, parameters: { ref: commit }, accept: 'application/vnd.github.raw+json' });
    return answer.contentType.startsWith('application/json') ? 'not-a-file' : answer.bytes;
  } catch (thrown) {
    if (thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_NOT_FOUND' && !/no commit found/i.test(thrown.problem.message)) return undefined;
    throw thrown;
  }
}
