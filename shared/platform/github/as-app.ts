import { createAppAuth } from '@octokit/auth-app';
import type { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import { parsed } from './parsed.ts';
import type { GithubCall, GithubSend } from './send.ts';

/** An app by its id or client id, and its PEM key. */
export interface AppKey {
  readonly appId: string | number;
  readonly privateKey: string;
}

/** Asks GitHub something as the app itself rather than as one of its installations. */
export type AsApp = <T>(route: GithubCall['route'], parameters: Readonly<Record<string, unknown>>, shape: z.ZodType<T>) => Promise<T>;

/** @throws LockkeeperError from every call: CODE_HOST when the key cannot be used, PROVIDER_* when GitHub refuses. */
export function asApp({ appId, privateKey }: AppKey, send: GithubSend): AsApp {
  const auth = createAppAuth({ appId, privateKey });
  return async (route, parameters, shape) => {
    const { token } = await auth({ type: 'app' }).catch((cause) => {
      throw new LockkeeperError(
        { code: 'CODE_HOST', message: 'The private key of the GitHub App cannot be used: store it as PEM, with its line ends.' },
        { cause },
      );
    });
    // Each of these calls may be sent twice: one more token harms nobody.
    return parsed(await send({ route, parameters, authorization: `bearer ${token}`, idempotent: true }), shape, route);
  };
}
