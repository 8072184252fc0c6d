import { LockkeeperError } from '../../errors/error.ts';
import type { Repository } from '../../ports/code-host.ts';
import { largestSourceBytes, sourceTooLarge } from '../../stacks/source-size.ts';
import type { RepositoryApi } from './api.ts';
import { AnswerTooLarge } from './read-bytes.ts';
import { repositoryAt } from './repository.ts';
import type { GithubSend } from './send.ts';

/** 64 MB from a host that packs them while it sends. */
const DOWNLOAD_MS = 25_000;

/**
 * The files of a commit, as GitHub packs them. It leads to another host, with a token of that download in the address: there the App's own
 * token is not shown, and the address is not told in an error.
 * https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar
 */
export async function archiveOf(of: (repository: Repository) => RepositoryApi, send: GithubSend, repository: Repository, commit: string): Promise<Uint8Array> {
  const { owner, name } = repository;
  const first = await leadsTo(of(repository), commit);
  // A name that the repository went by leads to the API once more, and not to the files.
  const renamed = first && /\/repositories\/\d+\//.test(first.pathname) ? await repositoryAt(of(repository)) : undefined;
  const to = renamed ? await leadsTo(of(renamed), commit) : first;
  if (to?.protocol !== 'https:' && !isLoopback(to))
    throw new LockkeeperError({ code: 'CODE_HOST', message: `GitHub names no place where the files of ${owner}/${name} can be had.` });
  try {
    const called = `the files of ${owner}/${name}`;
    return (await send({ route: `GET ${literal(to as URL)}`, called, accept: '*/*', idempotent: true, most: largestSourceBytes, timeoutMs: DOWNLOAD_MS }))
      .bytes;
  } catch (thrown) {
    if (thrown instanceof LockkeeperError && thrown.cause instanceof AnswerTooLarge) throw sourceTooLarge();
    throw thrown;
  }
}

async function leadsTo(api: RepositoryApi, commit: string): Promise<URL | undefined> {
  const { location } = await api.send({ route: 'GET /tarball/{commit}', parameters: { commit }, staysHere: true });
  return location === undefined || !URL.canParse(location) ? undefined : new URL(location);
}

/** The fake's address: nothing that leaves the machine goes unencrypted. */
const isLoopback = (to: URL | undefined): boolean => to?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(to.hostname);

/** Braces would be read as a template. */
const literal = (to: URL): `http${string}` => to.href.replaceAll('{', '%7B').replaceAll('}', '%7D') as `http${string}`;
