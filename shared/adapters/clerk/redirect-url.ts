/** Clerk's redirect URLs (Backend API, `/redirect_urls`). */
import { z } from 'zod';
import type { OpCall } from '../../engine/op.ts';
import { orAbsent } from '../http/absent.ts';
import { everyPage } from '../http/pages.ts';
import { path } from '../http/path.ts';

export const redirectUrl = z.object({ id: z.string().min(1), url: z.string(), created_at: z.number().optional() });
export type RedirectUrl = z.infer<typeof redirectUrl>;

type Call = Pick<OpCall, 'http'>;

/** With `paginated` an answer may count; the published description has a bare list all the same. */
const listing = z.union([z.object({ data: z.array(redirectUrl), total_count: z.number() }), z.array(redirectUrl)]);
const pageSize = 100;

/** A bare list does not say whether it is complete, so it is read until a page brings nothing new. */
export function listRedirectUrls(call: Call): Promise<RedirectUrl[]> {
  return everyPage(
    'Clerk redirect URLs',
    (found) => found.id,
    async (cursor) => {
      const offset = Number(cursor ?? 0);
      const answer = await call.http.send({ method: 'GET', path: path`/redirect_urls`, query: { paginated: true, limit: pageSize, offset }, answer: listing });
      const items = Array.isArray(answer) ? answer : answer.data;
      const end = offset + items.length;
      return { items, next: Array.isArray(answer) || end < answer.total_count ? String(end) : undefined };
    },
  );
}

export function findRedirectUrl(call: Call, id: string): Promise<RedirectUrl | undefined> {
  return orAbsent(call.http.send({ method: 'GET', path: path`/redirect_urls/${id}`, answer: redirectUrl }));
}

export function createRedirectUrl(call: Call, url: string): Promise<RedirectUrl> {
  return call.http.send({ method: 'POST', path: path`/redirect_urls`, body: { url }, answer: redirectUrl });
}

/** Absent is success. */
export async function deleteRedirectUrl(call: Call, id: string): Promise<void> {
  await orAbsent(call.http.send({ method: 'DELETE', path: path`/redirect_urls/${id}`, answer: z.unknown() }));
}
