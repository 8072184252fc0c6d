import type { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import type { Repository } from '../../ports/code-host.ts';
import type { GithubIdentity } from './identity.ts';
import { parsed } from './parsed.ts';
import type { GithubAnswer, GithubCall, GithubSend } from './send.ts';

/** A request below a repository: `GET /pulls/{number}`; `GET ` alone asks for itself. One about its organization begins with `/orgs/`, one in GraphQL is `/graphql`. */
export interface RepositoryCall {
  readonly route: `${'GET' | 'POST' | 'PATCH'} /${string}` | 'GET ';
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly accept?: string;
  /** Of a POST that only asks: it may be sent twice. */
  readonly repeatable?: true;
  /** A redirect is the answer, and is not followed. */
  readonly staysHere?: true;
}

/** GitHub as one repository sees it, with the credential taken care of. Errors as of `githubSend`. */
export interface RepositoryApi {
  send(call: RepositoryCall): Promise<GithubAnswer>;
  ask<T>(call: RepositoryCall, shape: z.ZodType<T>): Promise<T>;
  /** Items of a list, page after page, a hundred a page; it ends after a hundred pages whatever GitHub says. */
  list<P, T>(call: RepositoryCall, shape: z.ZodType<P>, items: (page: P) => readonly T[]): AsyncGenerator<T>;
}

const LAST_PAGE = 100;

export function repositoryApi(repository: Repository, send: GithubSend, identity: GithubIdentity): RepositoryApi {
  const { owner, name: repo } = repository;

  const sendAs = async ({ route, parameters, accept, repeatable, staysHere }: RepositoryCall, renew: boolean): Promise<GithubAnswer> => {
    const [method, path] = route.split(' ', 2);
    const below: `/${string}` = path?.startsWith('/orgs/') || path === '/graphql' ? (path as '/orgs/') : `/repos/{owner}/{repo}${path}`;
    const call: GithubCall = {
      route: `${method as 'GET'} ${below}`,
      parameters: path === '/graphql' ? { ...parameters } : { owner, repo, ...parameters },
      authorization: await identity.authorization(repository, renew),
      idempotent: method !== 'POST' || repeatable === true,
      ...(accept === undefined ? {} : { accept }),
      ...(staysHere ? { staysHere } : {}),
    };
    return send(call);
  };

  /** A kept token may have been revoked: refused once, a new one is asked for. A refused request has done nothing. */
  const sendCall = async (call: RepositoryCall): Promise<GithubAnswer> => {
    try {
      return await sendAs(call, false);
    } catch (thrown) {
      if (thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_AUTH' && thrown.problem.details?.['status'] === 401) return sendAs(call, true);
      throw thrown;
    }
  };

  const ask = async <T>(call: RepositoryCall, shape: z.ZodType<T>): Promise<T> => parsed(await sendCall(call), shape, call.route);

  return {
    send: sendCall,
    ask,
    async *list(call, shape, items) {
      for (let page = 1; page <= LAST_PAGE; page += 1) {
        const answer = await sendCall({ ...call, parameters: { ...call.parameters, per_page: 100, page } });
        yield* items(parsed(answer, shape, call.route));
        if (answer.next === undefined) return;
      }
    },
  };
}
