import type { Simulator } from '../simulator.ts';

/**
 * What an insert is fenced by is time and claims alone: nothing could be compared (P4). The oracle of I9 looks at what is filled.
 *
 * @param from of the table's writes, the first that is looked at; the lease is as it has been since then.
 */
export function refuseInsertsWithoutLease({ bench }: Simulator, from: number): void {
  for (const { key, change, applied } of bench.memory.writes.slice(from)) {
    if (!applied || !key.sk.startsWith('LEDGER#') || !('put' in change)) continue;
    const lease = bench.memory.peek(key.pk, 'LEASE');
    const run = change.put['lastRun'];
    if (lease?.['holder'] !== run || lease?.['released'] === true)
      throw new Error(`I9: run ${String(run)} made ${key.sk}, and ${lease?.['released'] === true ? 'nobody' : String(lease?.['holder'])} has the lease`);
  }
}
