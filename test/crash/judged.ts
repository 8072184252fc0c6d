/** How much each invariant had to judge: where there was nothing, that everything held says nothing of it. */
import { rolledBack } from '../property/oracles/i2-rolled-back.ts';
import { setTo } from '../property/oracles/table-writes.ts';
import { runsOf } from '../property/stage.ts';
import type { Simulator } from './simulator.ts';

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I11' | 'I12';

export type Judged = Readonly<Record<Invariant, number>>;

/** What is counted of each. */
export const judgedThings: Readonly<Record<Invariant, string>> = {
  I1: 'secrets that a function was given',
  I2: 'runs that failed and were rolled back',
  I3: 'second applies',
  I4: 'runs that planned and wrote nothing by then',
  I5: 'things of somebody else that were there at the end',
  I6: 'receipts that name the one before them',
  I7: 'writes in a protected environment',
  I8: 'destroys that were looked at',
  I9: 'writes in scopes that more than one run had',
  I10: 'messages and events that came again',
  I11: 'runs',
  I12: 'questions',
};

export const invariants = Object.keys(judgedThings) as readonly Invariant[];

/** Of everything that was seen so far. */
export function judgedOf(simulator: Simulator): Judged {
  const { bench, sent, ours, ends } = simulator;
  const runs = runsOf(bench);
  const items = bench.memory.items();
  const receipts = bench.bucket.keys().filter((key) => key.startsWith('receipts/') && key.endsWith('/latest.json'));
  return {
    ...ends,
    I1: simulator.trace.filter(({ call }) => call.port === 'secrets').length,
    I2: rolledBack(simulator).length,
    I4: runs.filter(({ intent, gated }) => intent === 'plan' || gated).length,
    I5: bench.provider.things().filter(({ id }) => !ours.has(id)).length,
    I6: receipts.reduce((sum, key) => sum + bench.bucket.bodies(key).length - 1, 0),
    I7: sent.filter(({ run }) => run.environment === 'production').length,
    I9: writesInShared(simulator),
    I11: runs.length,
    I12: items.filter(({ sk }) => sk.startsWith('QUESTION#')).length,
  };
}

/** Writes of the ledger lines of scopes of which more than one run had the lease. */
function writesInShared({ bench }: Simulator): number {
  const holders = new Map<string, Set<unknown>>();
  const writes = bench.memory.writes.filter(({ applied }) => applied);
  for (const write of writes) {
    const holder = write.key.sk === 'LEASE' ? setTo(write, 'holder') : undefined;
    if (holder !== undefined) holders.set(write.key.pk, (holders.get(write.key.pk) ?? new Set()).add(holder));
  }
  return writes.filter(({ key }) => key.sk.startsWith('LEDGER#') && (holders.get(key.pk)?.size ?? 0) > 1).length;
}
