import { createAppAuth } from '@octokit/auth-app';
import type { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import { parsed } from './parsed.ts';
import type { GithubAnswer, GithubCall, GithubSend } from './send.ts';

/** An app by its id or client id, and its PEM key. */
export interface AppKey {
  readonly appId: string | number;
  readonly privateKey: string;
}

/** Sends something to GitHub as the app itself rather than as one of its installations. */
export type SendAsApp = (route: GithubCall['route'], parameters: Readonly<Record<string, unknown>>) => Promise<GithubAnswer>;
/** The same, with the answer read. */
export type AsApp = <T>(route: GithubCall['route'], parameters: Readonly<Record<string, unknown>>, shape: z.ZodType<T>) => Promise<T>;

/** @throws LockkeeperError from every call: CODE_HOST when the key cannot be used, PROVIDER_* when GitHub refuses. */
export function sendAsApp({ appId, privateKey }: AppKey, send: GithubSend): SendAsApp {
  const auth = createAppAuth({ appId, privateKey });
  return async (route, parameters) => {
    const { token } = await auth({ type: 'app' }).catch((cause) => {
      throw new LockkeeperError(
        { code: 'CODE_HOST', message: 'The private key of the GitHub App cannot be used: store it as PEM, with its line ends.' },
        { cause },
      );
    });
    // Each of these calls may be sent twice: one more token, or one more delivery of an event, harms nobody.
    return send({ route, parameters, authorization: `bearer ${token}`, idempotent: true });
  };
}

/** Errors as of `sendAsApp`. */
export function asApp(key: AppKey, send: GithubSend): AsApp {
  const sendCall = sendAsApp(key, send);
  return async (route, parameters, shape) => parsed(await sendCall(route, parameters), shape, route);
}
