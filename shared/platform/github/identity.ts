import { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Repository } from '../../ports/code-host.ts';
import { type AppKey, asApp } from './as-app.ts';
import { parsed } from './parsed.ts';
import type { GithubSend } from './send.ts';

/** Who we are at GitHub: an app, or the holder of a token. */
export type GithubCredentials = AppKey | { readonly token: string };

/** The account behind the requests to one repository. */
export interface GithubIdentity {
  /** The Authorization header; `renew` asks for a new token even where a kept one has time left. */
  authorization(repository: Repository, renew?: boolean): Promise<string>;
  /** Whether a comment's author is us. */
  wrote(repository: Repository, author: Author | null): Promise<boolean>;
}

export interface Author {
  readonly login: string;
  readonly type: string;
}

const installationAnswer = z.object({ id: z.int(), app_slug: z.string().min(1) });
const tokenAnswer = z.object({ token: z.string().min(1), expires_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))) });
const userAnswer = z.object({ login: z.string().min(1) });

/** A token is not used in its last minute. */
const MARGIN_MS = 60_000;

/** What is kept of one repository's installation. */
interface Installed {
  readonly installation: number;
  readonly slug: string;
  token: { readonly text: string; readonly until: number } | undefined;
}

export function githubIdentity(credentials: GithubCredentials, send: GithubSend, clock: Pick<Clock, 'now'>): GithubIdentity {
  return 'token' in credentials ? tokenIdentity(credentials.token, send) : appIdentity(credentials, send, clock);
}

/** The installation is looked up once per repository and process; its token is kept until a minute before it runs out. */
function appIdentity(key: AppKey, send: GithubSend, clock: Pick<Clock, 'now'>): GithubIdentity {
  const ask = asApp(key, send);
  const kept = new Map<string, Installed>();

  const lookUp = async ({ id, owner, name: repo }: Repository): Promise<Installed> => {
    const known = kept.get(id);
    if (known) return known;
    const { id: installation, app_slug: slug } = await ask('GET /repos/{owner}/{repo}/installation', { owner, repo }, installationAnswer);
    const found: Installed = { installation, slug, token: undefined };
    kept.set(id, found);
    return found;
  };

  const tokenOf = async (repository: Repository, renew: boolean): Promise<string> => {
    const installed = await lookUp(repository);
    const { token } = installed;
    if (token && !renew && clock.now() < token.until) return token.text;
    const fresh = await ask('POST /app/installations/{installation}/access_tokens', { installation: installed.installation }, tokenAnswer);
    installed.token = { text: fresh.token, until: Date.parse(fresh.expires_at) - MARGIN_MS };
    return fresh.token;
  };

  /** Removed and installed again, the app has another installation: what was kept is forgotten, the next request looks afresh. */
  const orNotInstalled = async <T>(repository: Repository, asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown;
      kept.delete(repository.id);
      throw notInstalled(repository, thrown);
    }
  };

  return {
    authorization: async (repository, renew = false) => `token ${await orNotInstalled(repository, tokenOf(repository, renew))}`,
    wrote: async (repository, author) => author?.login === `${(await orNotInstalled(repository, lookUp(repository))).slug}[bot]`,
  };
}

/** A person's token, or the one of a workflow: the latter may not ask who it is, and writes as a bot. */
function tokenIdentity(token: string, send: GithubSend): GithubIdentity {
  const authorization = `token ${token}`;
  let self: Promise<string | undefined> | undefined;
  const login = async (): Promise<string | undefined> => {
    try {
      const call = { route: 'GET /user', authorization, idempotent: true } as const;
      return parsed(await send(call), userAnswer, call.route).login;
    } catch (thrown) {
      if (isNotFound(thrown) || (thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_AUTH')) return undefined;
      self = undefined;
      throw thrown;
    }
  };
  return {
    authorization: async () => authorization,
    async wrote(_repository, author) {
      self ??= login();
      const known = await self;
      return known === undefined ? author?.type === 'Bot' : author?.login === known;
    },
  };
}

const isNotFound = (thrown: unknown): boolean => thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_NOT_FOUND';

function notInstalled({ owner, name }: Repository, cause: unknown): LockkeeperError {
  return new LockkeeperError(
    { code: 'CODE_HOST', message: `The GitHub App is not installed in ${owner}/${name}.`, hint: 'Install it there, then redeliver the event.' },
    { cause },
  );
}
