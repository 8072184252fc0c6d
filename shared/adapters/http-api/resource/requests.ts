import { z } from 'zod';
import { canonicalJson } from '../../../approvals/canonical-json.ts';
import type { OpCall, ProviderRequest } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { sha256 } from '../../digest.ts';
import { apiOf } from '../api-block.ts';
import { orExists } from '../gone.ts';
import { merged, valueAt, withValueAt } from '../pointer.ts';
import { plain, sameJson } from '../value-tree.ts';
import { type Found, foundIn, itemIn, locate, pathWith } from './locate.ts';
import { isKept, type Ready, type ResourceSpec } from './spec.ts';

const encodingOf = (call: OpCall): 'json' | 'form' => apiOf(call.provider).encoding ?? 'json';
const typed = (contentType: string | undefined) => (contentType === undefined ? {} : { contentType });

/**
 * Creates the object and finds it: in the answer, or by looking for it where the line says so. One that is there is never written over.
 *
 * @throws LockkeeperError PROVIDER_CONFLICT with `details.exists` when the API says that it exists.
 */
export async function create(spec: ResourceSpec, call: OpCall): Promise<Found> {
  const { method, path, contentType, idempotency, locate: looked } = spec.create;
  const body = merged(stateOf(spec, undefined), spec.create.body === undefined ? {} : plain(spec.create.body, 'create.body'));
  const once = idempotency === undefined ? {} : { headers: { [idempotency]: idempotencyKey(spec, call, body) }, idempotent: true };
  const request: ProviderRequest<unknown> = { method, path, body, encoding: encodingOf(call), ...typed(contentType), answer: z.unknown(), ...once };
  const answer = await orExists(call.http.send({ ...request, idempotent: idempotency !== undefined }), spec.exists);
  const found = looked ? await locate(spec.recall, call) : foundIn(spec.recall, itemIn(spec.recall, answer, path));
  if (found) return found;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `${spec.label} was created, and cannot be found.`, details: { path } });
}

/** The same create has the same key, whichever attempt sends it; another commit's has another. */
function idempotencyKey({ key }: ResourceSpec, { context, identity }: OpCall, body: unknown): string {
  const { environment, scope, sha } = context;
  return `lockkeeper-${sha256(canonicalJson([identity, environment, scope, sha, key, body])).slice(0, 40)}`;
}

/** Writes what differs. A PUT has the whole state, kept fields as they are; what it does twice, it does once. */
export async function update(spec: ResourceSpec, found: Found, call: OpCall): Promise<void> {
  const { method, path, contentType } = spec.update as NonNullable<ResourceSpec['update']>;
  const body = method === 'PUT' ? stateOf(spec, found.item) : fieldsOf(spec);
  const idempotent = method !== 'POST';
  await call.http.send({ method, path: pathWith(path, found.id), body, encoding: encodingOf(call), ...typed(contentType), idempotent, answer: z.unknown() });
}

const fieldsOf = ({ fields }: ResourceSpec): unknown =>
  fields.filter(({ tree }) => !isKept(tree)).reduce<unknown>((body, { field, tree }) => withValueAt(body, field, plain(tree, field)), {});

/** What names it and every field of the line; a kept one as it is live. */
function stateOf(spec: ResourceSpec, live: unknown): unknown {
  const named = spec.match.reduce<unknown>((body, { field, value }) => withValueAt(body, field, value), {});
  const kept = spec.fields.filter(({ tree, field }) => isKept(tree) && valueAt(live, field) !== undefined);
  return merged(
    kept.reduce<unknown>((body, { field }) => withValueAt(body, field, valueAt(live, field)), named),
    fieldsOf(spec),
  );
}

/**
 * Whether a new object can be used.
 *
 * @throws LockkeeperError PROVIDER_INVALID when it never will.
 */
export async function isReady(ready: Ready, found: Found, call: OpCall): Promise<boolean> {
  const state = ready.path === undefined ? found.item : await call.http.send({ method: 'GET', path: pathWith(ready.path, found.id), answer: z.unknown() });
  const shows = ([field, value]: readonly [string, unknown]) => sameJson(valueAt(state, field), value);
  const failed = ready.failed.find(shows);
  if (failed) {
    const [field, value] = failed;
    throw new LockkeeperError({ code: 'PROVIDER_INVALID', message: `The new object will not be ready: \`${field}\` is \`${String(value)}\`.` });
  }
  return ready.match.every(shows);
}
