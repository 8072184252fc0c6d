import { z } from 'zod';
import type { ProviderHttp, ProviderRequest } from '../../../shared/engine/op.ts';
import type { Clock } from '../../../shared/ports/clock.ts';

export const item = z.object({ key: z.string(), id: z.string(), text: z.string(), createdAt: z.number() });
export type Item = z.infer<typeof item>;

export interface ItemProvider {
  readonly http: ProviderHttp;
  /** How many requests have come so far. */
  calls(): number;
}

/** A provider in memory whose every request takes `latency()`; what it costs does not grow with what it holds. */
export function itemProvider(clock: Pick<Clock, 'now'>, latency: () => Promise<void>): ItemProvider {
  const items = new Map<string, Item>();
  let calls = 0;

  function answer({ method, query, body }: ProviderRequest<unknown>): unknown {
    if (method === 'GET')
      return String(query?.['keys'])
        .split(',')
        .flatMap((key) => items.get(key) ?? []);
    const { key, text } = body as { key: string; text: string };
    if (method === 'DELETE') return items.delete(key);
    const made = { key, id: items.get(key)?.id ?? `id-${calls}`, text, createdAt: clock.now() };
    items.set(key, made);
    return made;
  }

  const http: ProviderHttp = {
    async send(request) {
      calls += 1;
      await latency();
      return request.answer.parse(answer(request));
    },
  };
  return { http, calls: () => calls };
}
