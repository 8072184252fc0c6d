import { z } from 'zod';
import type { LiveResource, OpCall, Previous } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { apiOf } from '../api-block.ts';
import { valueAt, withValueAt } from '../pointer.ts';
import { type Found, pathWith } from './locate.ts';
import type { ResourceSpec } from './spec.ts';

/**
 * What an object holds in the fields that the line says, as the body of the line's own update: what names it as well where that request is
 * the whole state. A field that is not there is `null` in a request that changes some, and left out of one that is all.
 */
export function fieldsBefore({ update, match, fields }: ResourceSpec, { item }: Found): Previous | undefined {
  if (update === undefined) return undefined;
  const { method, path, contentType } = update;
  const whole = method === 'PUT';
  const named = whole ? match.reduce<unknown>((body, { field, value }) => withValueAt(body, field, value), {}) : {};
  const held = fields.map(({ field }) => ({ field, value: valueAt(item, field) })).filter(({ value }) => !whole || value !== undefined);
  const body = held.reduce<unknown>((so, { field, value }) => withValueAt(so, field, value ?? null), named);
  return { secret: JSON.stringify(body), form: { method, path, ...(contentType === undefined ? {} : { contentType }) } };
}

const form = z.object({ method: z.enum(['PATCH', 'PUT', 'POST']), path: z.string(), contentType: z.string().optional() });

/** Sends that body. @throws LockkeeperError SEAL_UNREADABLE for one of another version. */
export async function putBack({ id }: LiveResource, previous: Previous, call: OpCall): Promise<void> {
  const { data } = form.safeParse(previous.form);
  if (!data) throw new LockkeeperError({ code: 'SEAL_UNREADABLE', message: 'What an object held before was sealed by another version.' });
  const { method, path, contentType } = data;
  const typed = contentType === undefined ? {} : { contentType };
  const encoding = apiOf(call.provider).encoding ?? 'json';
  const body: unknown = JSON.parse(previous.secret);
  await call.http.send({ method, path: pathWith(path, id), body, encoding, ...typed, idempotent: method !== 'POST', answer: z.unknown() });
}
