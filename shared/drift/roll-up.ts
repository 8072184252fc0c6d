import { type Counts, countsOf } from './document.ts';
import type { DriftRecord, Status } from './record.ts';

/** What a block says when its instances say different things: the first of these that any of them says (R3.18). */
export const rollUpOrder: readonly Status[] = ['not-observed', 'drifted', 'missing', 'unclaimed', 'undeclared', 'pending', 'in-sync', 'recorded', 'runtime'];

/** One block of the graph, or one resource that has no instances. */
export interface Block {
  /** Null: those that stand on no node. */
  readonly node: string | null;
  readonly status: Status;
  readonly counts: Counts;
  readonly records: readonly DriftRecord[];
}

/** Groups records by the block they are instances of, in the order of their first records. */
export function rollUpByBlock(records: Iterable<DriftRecord>): Block[] {
  const groups = new Map<string | null, DriftRecord[]>();
  for (const record of records) {
    const node = record.instanceOf ?? record.node;
    const group = groups.get(node);
    if (group === undefined) groups.set(node, [record]);
    else group.push(record);
  }
  return [...groups].map(([node, group]) => ({ node, status: rolledUp(group.map(({ status }) => status)), counts: countsOf(group), records: group }));
}

/** The status of a block with instances of these statuses. One without instances is in sync with a declaration of none. */
export const rolledUp = (found: readonly Status[]): Status => rollUpOrder.find((status) => found.includes(status)) ?? 'in-sync';
