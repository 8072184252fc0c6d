import type { LedgerLine } from '../ledger/entry.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Clock } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import { Again } from '../run/again.ts';
import type { SealingKey } from '../secrets/keys.ts';
import { inBatches } from '../table/in-batches.ts';
import type { Writer } from '../table/write.ts';
import { endJob, patienceBeside } from './end-job.ts';
import { leftOf } from './left-job.ts';
import type { ToolRecord } from './tool-record.ts';

/** What it takes to end the jobs that a ledger names. Without a place where tools run there is none to end. */
export interface EndsJobs extends Writer {
  readonly clock: Clock;
  readonly timing: { readonly leaseTtl: number };
  readonly tools?: ToolRunner;
  readonly objects?: Objects;
  readonly keys?: { readonly sealing: SealingKey };
}

/**
 * Ends the jobs of ledger lines whose record is open, under the lease with this fence, and notes what became of each (P9).
 *
 * @throws Again while one is not at its end; LedgerMoved.
 */
export async function endRecorded(world: EndsJobs, scope: string, fence: number, lines: readonly LedgerLine[]): Promise<void> {
  const waits = await inBatches(lines, (line) => endOne(world, scope, fence, line));
  const longest = Math.max(0, ...waits);
  if (longest > 0) throw new Again('an infrastructure tool that nobody hears any more is not at its end yet', longest);
}

/**
 * The line counts as written by the run that started the job: whoever planned over what it held before did not plan over what that did.
 *
 * @returns seconds to wait for its end; 0: it has ended.
 */
async function endOne(world: EndsJobs, scope: string, fence: number, line: LedgerLine): Promise<number> {
  const { tools, objects, keys, clock } = world;
  if (!tools || !objects || !keys) return 30;
  const record = line.external as ToolRecord;
  const now = clock.now();
  const ended = await endJob({ tools, objects, keys }, record, now, patienceBeside(world.timing));
  // Handed back ever later: a queue gives a message up after some deliveries.
  if ('atWork' in ended) return Math.min(120, Math.max(5, Math.ceil(ended.forMs / 1000)));
  const left = leftOf(record, ended, now);
  await saveLedgerLine(world, scope, { fence, deadline: now }, record.run, line, { external: { ...record, ended: now }, ...(left ? { left } : {}) });
  return 0;
}
