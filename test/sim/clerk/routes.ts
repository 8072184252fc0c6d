/**
 * Clerk's backend API, as far as redirect URLs go. What it assumes (verified: against the published description's structure):
 *
 * - C1  Base path `/v1`; bearer authentication with the instance's secret key; errors are `{errors: [{message, long_message,
 *       code}], clerk_trace_id}`. Not verified.
 * - C2  The list takes `limit` (1 to 500, ten when absent) and `offset`, answers a bare array, newest first. Parameters and array
 *       verified; order and default not.
 * - C3  `paginated=true` changes the answer to `{data, total_count}`. The parameter is verified; the list's published answer is an array
 *       all the same, so this fake does the same unless its setting `envelope` is on. Not verified.
 * - C4  A URL that is on the list already is 422 with code `duplicate_record`. 400 and 422 are verified as statuses, the code is not.
 * - C5  A URL must be absolute; anything else is 422 `form_param_format_invalid`. Not verified.
 * - C6  Deleting answers 200 with `{object, id, deleted}`, and 404 `resource_not_found` for an id that is not there. Verified.
 */
import type { Answer, Incoming } from '../wire/answer.ts';
import { numberOf, stringOf } from '../wire/answer.ts';
import type { Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { clerkError } from './errors.ts';
import { addRedirect } from './redirects.ts';
import type { ClerkRedirect } from './state.ts';

export const clerkRoutes: Routes<Scene> = {
  'GET /redirect_urls': list,
  'POST /redirect_urls': create,
  'GET /redirect_urls/:id': (request, scene) => onRedirect(request, scene, (redirect) => ({ status: 200, body: redirectShape(redirect) })),
  'DELETE /redirect_urls/:id': (request, scene) =>
    onRedirect(request, scene, (redirect) => {
      const { redirects } = scene.world.clerk;
      redirects.splice(redirects.indexOf(redirect), 1);
      return { status: 200, body: { object: 'redirect_url', id: redirect.id, deleted: true } };
    }),
  'GET /instance': (_request, scene) => ({
    status: 200,
    body: {
      object: 'instance',
      id: scene.world.clerk.instance.id,
      environment_type: scene.world.clerk.instance.environment,
      allowed_origins: null,
      workspace_id: null,
    },
  }),
};

function redirectShape(redirect: ClerkRedirect): unknown {
  return { object: 'redirect_url', id: redirect.id, url: redirect.url, created_at: redirect.createdAt, updated_at: redirect.updatedAt };
}

function list(request: Incoming, scene: Scene): Answer {
  const limit = numberOf(request.query, 'limit', 10, 1, 500);
  const offset = numberOf(request.query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const newestFirst = scene.world.clerk.redirects.toReversed();
  const page = newestFirst.slice(offset, offset + Math.min(limit, scene.world.clerk.settings.pageSize)).map(redirectShape);
  const wrapped = scene.world.clerk.settings.envelope && request.query.get('paginated') === 'true';
  return { status: 200, body: wrapped ? { data: page, total_count: newestFirst.length } : page };
}

function create(request: Incoming, scene: Scene): Answer {
  const url = stringOf(request.body, 'url');
  if (url === undefined || url === '') return clerkError(422, 'form_param_missing', 'url must be included.');
  if (!URL.canParse(url)) return clerkError(422, 'form_param_format_invalid', 'url must be a valid url.');
  if (scene.world.clerk.redirects.some((each) => each.url === url)) return clerkError(422, 'duplicate_record', 'That redirect url is on the list already.');
  return { status: 200, body: redirectShape(addRedirect(scene, url)) };
}

function onRedirect(request: Incoming, scene: Scene, then: (redirect: ClerkRedirect) => Answer): Answer {
  const found = scene.world.clerk.redirects.find((each) => each.id === request.params['id']);
  return found === undefined ? clerkError(404, 'resource_not_found', 'Resource not found.') : then(found);
}
