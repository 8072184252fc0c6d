import { clerkError } from './clerk/errors.ts';
import { clerkRoutes } from './clerk/routes.ts';
import { refuseGitHub } from './github/auth.ts';
import { githubError } from './github/errors.ts';
import { githubRoutes } from './github/routes.ts';
import { neonError } from './neon/errors.ts';
import { neonRoutes } from './neon/routes.ts';
import { refuseRest, restError, restRoutes } from './rest/routes.ts';
import { refuseSlack, slackRefusal, slackRoutes } from './slack/routes.ts';
import { vercelError } from './vercel/errors.ts';
import { vercelRoutes } from './vercel/routes.ts';
import type { Answer, Incoming } from './wire/answer.ts';
import type { Routes } from './wire/router.ts';
import type { Provider } from './wire/rule.ts';
import type { Scene } from './world/world.ts';

/** What makes one provider out of an HTTP server. */
export interface ProviderFace {
  /** Part of every URL that rules, logs and routes do not see. */
  readonly prefix: string;
  readonly routes: Routes<Scene>;
  /** The provider's error shape. */
  error(status: number, message: string, code?: string): Answer;
  /** The 401 a request deserves, if any. */
  refuse(request: Incoming, scene: Scene): Answer | undefined;
}

export const faces: Readonly<Record<Provider, ProviderFace>> = {
  neon: {
    prefix: '/api/v2',
    routes: neonRoutes,
    error: (status, message, code = '') => neonError(status, code, message),
    refuse: unlessBearer(() => neonError(401, '', 'the credentials are not accepted')),
  },
  vercel: {
    prefix: '',
    routes: vercelRoutes,
    error: (status, message, code = 'internal_server_error') => vercelError(status, code, message),
    refuse: unlessBearer(() => vercelError(401, 'forbidden', 'The request has no authentication token', { missingToken: true })),
  },
  clerk: {
    prefix: '/v1',
    routes: clerkRoutes,
    error: (status, message, code = 'internal_clerk_error') => clerkError(status, code, message),
    refuse: unlessBearer(() => clerkError(401, 'authentication_invalid', 'Unable to authenticate the request')),
  },
  github: {
    prefix: '',
    routes: githubRoutes,
    error: (status, message) => githubError(status, message),
    refuse: refuseGitHub,
  },
  rest: {
    prefix: '',
    routes: restRoutes,
    error: restError,
    refuse: refuseRest,
  },
  slack: {
    prefix: '/api',
    routes: slackRoutes,
    error: (status, _message, code = 'internal_error') => ({ ...slackRefusal(code), status }),
    refuse: refuseSlack,
  },
};

/** Any bearer that is not empty is let in. */
function unlessBearer(refusal: () => Answer) {
  return (request: Incoming): Answer | undefined => (/^bearer \S+$/i.test(request.headers['authorization'] ?? '') ? undefined : refusal());
}
