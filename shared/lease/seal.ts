import { ledgerLineOf, saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Clock } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import { AnswerLost, type Item } from '../ports/table.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import { Again } from '../run/again.ts';
import type { SealingKey } from '../secrets/keys.ts';
import { endJob, patienceBeside } from '../stacks/end-job.ts';
import { leftOf } from '../stacks/left-job.ts';
import { isOpen, type ToolRecord } from '../stacks/tool-record.ts';
import { all, atMost, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { headKey, ledgerPrefix, scopePartition } from '../table/keys.ts';
import type { Writer } from '../table/write.ts';

/** What sealing takes. Without a place where tools run there is no job to end. */
export interface Sealing extends Writer {
  readonly clock: Clock;
  readonly timing: { readonly leaseTtl: number };
  readonly tools?: ToolRunner;
  readonly objects?: Objects;
  readonly keys?: { readonly sealing: SealingKey };
}

/**
 * Raises the fence of every ledger line and of the head, so that nothing an earlier holder still sends is accepted (P3), and ends every tool
 * job that another run has at work there (P9). On condition that the items exist, and touching nothing else: `version` stays, an absent item stays absent.
 * Sealing twice, or half, does no harm; the lease is marked sealed only after all of it.
 *
 * @throws Again while a job is not at its end.
 */
export async function sealScope(world: Sealing, scope: string, run: string, fence: number): Promise<void> {
  const { table } = world;
  const lines = await table.query(scopePartition(scope), ledgerPrefix);
  const head = await table.get(headKey(scope));
  // As they were when their fence was raised: from then on nobody but this run writes there.
  const sealed = await inBatches([...lines, ...(head ? [head] : [])], async (item) => ((item['fence'] as number) < fence ? raise(world, item, fence) : item));
  const atWork = sealed.filter((item) => item !== undefined && isOpenOfAnother(item['external'], run)) as Item[];
  const waits = await inBatches(atWork, (item) => endFor(world, scope, fence, item));
  const longest = Math.max(0, ...waits);
  if (longest > 0) throw new Again('an infrastructure tool of the run that had the lease before is not at its end yet', longest);
}

const isOpenOfAnother = (found: unknown, run: string): found is ToolRecord => {
  const record = found as ToolRecord | undefined;
  return isOpen(record) && record.run !== run;
};

/** The item as it lay there before; undefined where somebody with a newer fence was first: it is theirs to seal. */
async function raise({ table }: Sealing, item: Item, fence: number): Promise<Item | undefined> {
  const key = { pk: item.pk, sk: item.sk };
  const change = { set: { fence } };
  const when = all(present, atMost('fence', fence));
  const send = async (): Promise<Item | undefined> => {
    const answer = await table.write(key, change, when);
    return answer.applied ? (answer.before ?? table.get(key)) : undefined;
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error;
    return send();
  }
}

/**
 * Ends the job of a line, and notes what became of it. The line counts as written by the run that started the job: whoever planned over what it
 * held before did not plan over what that did.
 *
 * @returns seconds to wait for its end; 0: it has ended.
 */
async function endFor(world: Sealing, scope: string, fence: number, item: Item): Promise<number> {
  const { tools, objects, keys, clock } = world;
  if (!tools || !objects || !keys) return 30;
  const line = ledgerLineOf(item);
  const record = line.external as ToolRecord;
  const now = clock.now();
  const ended = await endJob({ tools, objects, keys }, record, now, patienceBeside(world.timing));
  if ('atWork' in ended) return Math.min(120, Math.max(5, Math.ceil(ended.forMs / 1000)));
  const left = leftOf(record, ended, now);
  await saveLedgerLine(world, scope, { fence, deadline: now }, record.run, line, { external: { ...record, ended: now }, ...(left ? { left } : {}) });
  return 0;
}
