/**
 * Any JSON API of the usual make. No provider publishes it; what it assumes are habits that many have (verified: against nothing):
 *
 * - R1  A path whose last step ends with `s` is a list of the objects below it; every other path is an object. Lists are
 *       `{items, next}`, or arrays when the setting `envelope` is off; `cursor` asks for the page that `next` names. Not verified.
 * - R2  POST to a list makes an object under an id of its own and answers 201 with it. A second one with the same value in a field
 *       that is unique is refused, with the status that is set. Not verified.
 * - R3  PATCH merges (RFC 7396), also without that media type; PUT replaces, and makes what is not there. Not verified.
 * - R4  DELETE answers 204, and the status that is set for what is not there any more. Not verified.
 * - R5  A create with an `Idempotency-Key` that was seen before performs nothing and answers what it made the first time. Not verified.
 * - R6  A new object is `provisioning` for as long as is set, then `ready` or `failed`. Some fields are taken and never shown, some are
 *       shown once. Not verified.
 * - R7  Bodies are JSON or forms; any bearer, basic or `X-…-Key` credential is let in. Not verified.
 */
import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { numberOf, objectOf } from '../wire/answer.ts';
import type { Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { formBody } from './form.ts';
import { add, mergePatch, objectAt, objectsIn, put, shape, wasThere } from './objects.ts';

export const restError = (status: number, message: string, code = 'error'): Answer => ({ status, body: { error: { code, message } } });

export function refuseRest({ headers }: Incoming): Answer | undefined {
  const keyed = Object.entries(headers).some(([name, value]) => /^x-.*key$/.test(name) && value !== '');
  return keyed || /^(bearer|basic) \S+$/i.test(headers['authorization'] ?? '') ? undefined : restError(401, 'no credential', 'unauthorized');
}

export const restRoutes: Routes<Scene> = {
  'GET /:path+': read,
  'POST /:path+': create,
  'PUT /:path+': replace,
  'PATCH /:path+': merge,
  'DELETE /:path+': remove,
};

const isList = (path: string): boolean => /s$/.test(path);
/** Steps stay encoded: `a%2Fb` is one. */
const pathOf = ({ path }: Incoming): string => path;
const bodyOf = ({ headers, text, body }: Incoming): Json | undefined =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? formBody(text) : objectOf(body);

function read(request: Incoming, scene: Scene): Answer {
  const path = pathOf(request);
  const found = objectAt(scene, path);
  if (found) return { status: 200, body: shape(scene, found) };
  if (!isList(path)) return absent(scene, path);
  const { pageSize, envelope } = scene.world.rest.settings;
  const start = numberOf(request.query, 'cursor', 0, 0, Number.MAX_SAFE_INTEGER);
  const every = objectsIn(scene, path);
  const items = every.slice(start, start + pageSize).map((each) => shape(scene, each));
  const next = start + pageSize < every.length ? String(start + pageSize) : null;
  return { status: 200, body: envelope ? { items, next } : items };
}

function create(request: Incoming, scene: Scene): Answer {
  const path = pathOf(request);
  const body = bodyOf(request);
  if (body === undefined) return restError(400, 'a JSON object or a form is expected');
  const { unique, existsStatus } = scene.world.rest.settings;
  if (!isList(path)) return merge(request, scene);
  const key = request.headers['idempotency-key'];
  const before = key === undefined ? undefined : objectAt(scene, scene.world.rest.performed[key] ?? '');
  if (before) return { status: 201, body: shape(scene, before, true) };
  const taken = unique.find((field) => body[field] !== undefined && objectsIn(scene, path).some((each) => each.body[field] === body[field]));
  if (taken !== undefined) return restError(existsStatus, `the ${taken} is taken`, 'taken');
  const made = add(scene, path, body);
  if (key !== undefined) scene.world.rest.performed[key] = made.path;
  return { status: 201, body: shape(scene, made, true) };
}

function replace(request: Incoming, scene: Scene): Answer {
  const body = bodyOf(request);
  if (body === undefined) return restError(400, 'a JSON object or a form is expected');
  const before = objectAt(scene, pathOf(request));
  const own = before ? { id: before.body['id'], token: before.body['token'] } : {};
  return { status: before ? 200 : 201, body: shape(scene, put(scene, pathOf(request), { ...body, ...defined(own) }), true) };
}

function merge(request: Incoming, scene: Scene): Answer {
  const found = objectAt(scene, pathOf(request));
  const body = bodyOf(request);
  if (!found) return absent(scene, pathOf(request));
  if (body === undefined) return restError(400, 'a JSON object or a form is expected');
  scene.moment();
  found.body = mergePatch(found.body, body) as Json;
  return { status: 200, body: shape(scene, found) };
}

function remove(request: Incoming, scene: Scene): Answer {
  const found = objectAt(scene, pathOf(request));
  if (!found) return absent(scene, pathOf(request));
  found.deleted = true;
  return { status: 204 };
}

const absent = (scene: Scene, path: string): Answer =>
  wasThere(scene, path) ? restError(scene.world.rest.settings.goneStatus, 'it is gone', 'gone') : restError(404, 'there is no such thing', 'not_found');

const defined = (map: Json): Json => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined));
