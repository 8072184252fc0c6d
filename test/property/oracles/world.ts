import type { Seen } from '../stage.ts';
import { runsOf } from '../stage.ts';

/** Everything that a repeated message or a second apply must leave as it is: what is at the provider, managed, claimed, received and ended. */
export function worldOf({ bench, sent }: Seen): Record<string, unknown> {
  const items = bench.memory.items(({ sk }) => sk.startsWith('LEDGER#') || sk === 'CLAIM');
  const latest = bench.bucket.keys().filter((key) => key.endsWith('/latest.json'));
  return {
    provider: bench.provider.things(),
    sent: sent.length,
    managed: items.map(({ pk, sk, entries, scope, line }) => ({ pk, sk, entries, scope, line })),
    receipts: latest.map((key) => [key, bench.bucket.bodies(key).length]),
    runs: runsOf(bench).map(({ id, phase, outcome, round }) => ({ id, phase, outcome, round })),
  };
}

/** Names the parts that differ. */
export const differing = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  Object.keys(before).filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
