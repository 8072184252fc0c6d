import { z } from 'zod';
import type { Delivery, HostDeliveries } from '../../ports/code-host.ts';
import { type AppKey, sendAsApp } from './as-app.ts';
import { parsed } from './parsed.ts';
import type { GithubAnswer, GithubSend } from './send.ts';

/** https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook */
const page = z.array(
  z.object({
    id: z.union([z.int(), z.string().regex(/^\d+$/)]).transform(String),
    guid: z.string().min(1),
    delivered_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
    status_code: z.int(),
  }),
);

/** The App's deliveries. Pages are followed by their cursor; a caller who has seen enough stops. */
export function appDeliveries(key: AppKey, send: GithubSend): HostDeliveries {
  const call = sendAsApp(key, send);
  return {
    async *since(moment) {
      for (let cursor: string | undefined; ; ) {
        const route = 'GET /app/hook/deliveries';
        const answer = await call(route, { per_page: 100, ...(cursor === undefined ? {} : { cursor }) });
        const deliveries = parsed(withWideIds(answer), page, route).map(deliveryOf);
        yield* deliveries.filter(({ at }) => at >= moment);
        cursor = answer.next === undefined ? undefined : (URL.parse(answer.next)?.searchParams.get('cursor') ?? undefined);
        if (cursor === undefined || deliveries.some(({ at }) => at < moment)) return;
      }
    },
    again: async (id) => void (await call('POST /app/hook/deliveries/{delivery}/attempts', { delivery: id })),
  };
}

/** Ids are 64 bits wide, which a number of JSON's would round: long ones are read as text. */
function withWideIds(answer: GithubAnswer): GithubAnswer {
  const text = Buffer.from(answer.bytes).toString('utf8');
  return { ...answer, bytes: Buffer.from(text.replace(/("id"\s*:\s*)(\d{16,})/g, '$1"$2"')) };
}

const deliveryOf = ({ id, guid, delivered_at, status_code }: z.infer<typeof page>[number]): Delivery => ({
  id,
  guid,
  at: Date.parse(delivered_at),
  status: status_code,
});
