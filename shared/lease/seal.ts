import { ledgerLineOf } from '../ledger/ledger-line.ts';
import { AnswerLost, type Item } from '../ports/table.ts';
import { type EndsJobs, endRecorded } from '../stacks/end-recorded.ts';
import { isOpen, type ToolRecord } from '../stacks/tool-record.ts';
import { all, atMost, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { headKey, ledgerPrefix, scopePartition } from '../table/keys.ts';

/**
 * Raises the fence of every ledger line and of the head, so that nothing an earlier holder still sends is accepted (P3), and ends every tool
 * job that another run has at work there (P9). On condition that the items exist, and touching nothing else: `version` stays, an absent item stays absent.
 * Sealing twice, or half, does no harm; the lease is marked sealed only after all of it.
 *
 * @throws Again while a job is not at its end.
 */
export async function sealScope(world: EndsJobs, scope: string, run: string, fence: number): Promise<void> {
  const { table } = world;
  const lines = await table.query(scopePartition(scope), ledgerPrefix);
  const head = await table.get(headKey(scope));
  // As they were when their fence was raised: from then on nobody but this run writes there.
  const sealed = await inBatches([...lines, ...(head ? [head] : [])], async (item) => ((item['fence'] as number) < fence ? raise(world, item, fence) : item));
  const atWork = sealed.filter((item) => item !== undefined && isOpenOfAnother(item['external'], run)) as Item[];
  await endRecorded(world, scope, fence, atWork.map(ledgerLineOf));
}

const isOpenOfAnother = (found: unknown, run: string): found is ToolRecord => {
  const record = found as ToolRecord | undefined;
  return isOpen(record) && record.run !== run;
};

/** The item as it lay there before; undefined where somebody with a newer fence was first: it is theirs to seal. */
async function raise({ table }: EndsJobs, item: Item, fence: number): Promise<Item | undefined> {
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
