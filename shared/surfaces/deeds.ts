/** What a plan would do, resource by resource: the one count that title, card, comment and terminal show. */
import type { ShownChange } from '../engine/op.ts';
import type { LineReport, RunReport } from '../run/report.ts';

/** What is done to one resource, the most dangerous first: that is the order in which a reader sees them. */
export const deeds = ['delete', 'replace', 'forget', 'adopt', 'import', 'update', 'move', 'create', 'run', 'todo'] as const;
export type Deed = (typeof deeds)[number];

/** One thing that a plan would do. */
export interface PlannedDeed {
  readonly deed: Deed;
  readonly line: string;
  readonly label: string;
  readonly fields: ShownChange['fields'];
}

/** Everything a plan would do, the most dangerous first. */
export function plannedDeeds({ lines }: Pick<RunReport, 'lines'>): PlannedDeed[] {
  return lines.flatMap((line) => deedsOf(line)).toSorted((one, other) => deeds.indexOf(one.deed) - deeds.indexOf(other.deed));
}

/** How many there are of each deed, without those of which there are none. */
export function deedCounts(planned: readonly PlannedDeed[]): [Deed, number][] {
  return deeds.map((deed): [Deed, number] => [deed, planned.filter((one) => one.deed === deed).length]).filter(([, n]) => n > 0);
}

/** Whether something is lost by it. */
export const isDestructive = (deed: Deed): boolean => deed === 'delete' || deed === 'replace';

export function deedsOf(line: LineReport): PlannedDeed[] {
  if (line.status === 'todo' || line.status === 'run')
    return [{ deed: line.status, line: line.id, label: line.manual?.title ?? `${line.adapter}.${line.op}`, fields: [] }];
  return line.changes
    .filter(({ kind }) => kind !== 'unchanged')
    .map((change) => ({ deed: deedOf(change), line: line.id, label: change.label, fields: change.fields }));
}

function deedOf({ kind, replaces, adopts, as }: ShownChange): Deed {
  if (kind === 'delete') return 'delete';
  if (replaces) return 'replace';
  if (adopts) return 'adopt';
  if (as) return as;
  return kind === 'create' ? 'create' : 'update';
}
