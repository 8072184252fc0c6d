import type { Seen } from '../stage.ts';
import { lastRunOf, setTo, type Write } from './table-writes.ts';

/**
 * I9: whoever writes in a scope has its lease. A provider is written to under a live lease alone; a ledger line by its holder, though a
 * lease that ran out untaken still lets its holder record (R1.92). Fences never go back.
 */
export function writtenWithoutLease(stage: Seen): string[] {
  const atProviders = stage.sent.flatMap(({ run, method, name, lease, at }) => {
    const holds = lease?.['holder'] === run.id && lease['released'] !== true && (lease['expiresAt'] as number) >= at;
    return holds
      ? []
      : [`I9: run ${run.id} sent ${method} ${name} while ${String(lease?.['holder'])} had the lease until ${String(lease?.['expiresAt'])}, at ${at}`];
  });
  return [...atProviders, ...inLedgers(stage)];
}

/** An insert has nothing that could be compared with a fence. It is empty, and whoever fills it asks for the lease first. */
const isEmptyInsert = (write: Write): boolean => 'put' in write.change && (write.change.put['entries'] as unknown[]).length === 0;

/** Whoever has the lease next notes under its own fence that a tool job has ended, and in the name of the run that had started it (P9). */
function isEndNoted(write: Write, fence: number | undefined): boolean {
  const job = setTo(write, 'external') as { readonly run: string; readonly ended?: number } | undefined;
  return job?.ended !== undefined && job.run === lastRunOf(write) && setTo(write, 'fence') === fence;
}

function inLedgers({ bench }: Seen): string[] {
  const leases = new Map<string, { holder: string; fence: number }>();
  const fences = new Map<string, number>();
  const wrong: string[] = [];
  for (const write of bench.memory.writes.filter(({ applied }) => applied)) {
    const { pk, sk } = write.key;
    if (sk === 'LEASE' && pk.startsWith('SCOPE#')) {
      const before = leases.get(pk);
      const fence = (setTo(write, 'fence') as number | undefined) ?? before?.fence ?? 0;
      if (before && fence < before.fence) wrong.push(`I9: the fence of ${pk} went back from ${before.fence} to ${fence}`);
      leases.set(pk, { holder: (setTo(write, 'holder') as string | undefined) ?? before?.holder ?? '', fence });
    }
    if (!sk.startsWith('LEDGER#')) continue;
    const lease = leases.get(pk);
    const run = isEmptyInsert(write) || isEndNoted(write, lease?.fence) ? undefined : lastRunOf(write);
    const holder = lease?.holder;
    if (run !== undefined && run !== holder) wrong.push(`I9: run ${run} wrote ${pk} ${sk} while ${holder} had the lease`);
    const item = `${pk} ${sk}`;
    const fence = setTo(write, 'fence') as number | undefined;
    if ('delete' in write.change) fences.delete(item);
    else if (fence !== undefined) {
      if (fence < (fences.get(item) ?? 0)) wrong.push(`I9: the fence of ${item} went back to ${fence}`);
      fences.set(item, fence);
    }
  }
  return wrong;
}
