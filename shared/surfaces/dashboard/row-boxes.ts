import { answeredKey, type BoxMarker } from '../../dashboard/box.ts';
import { boxMarker } from '../../dashboard/marker.ts';
import { type Row, stateOf } from '../../dashboard/row.ts';
import { code } from '../escape.ts';
import { count } from '../words.ts';
import type { DashboardFacts } from './facts.ts';

/** The boxes of a row: none while a run of it is at work, since what a tick would approve is changing. */
export function boxesOf(row: Row, facts: DashboardFacts): string[] {
  if (stateOf(row) === 'deploying') return [];
  const { plan, environment, line, pending, drift } = row;
  const names = { plan, environment, ...(line === undefined ? {} : { line }) };
  const isStack = line !== undefined;
  return [
    ...(pending?.digest === undefined
      ? []
      : [boxLine({ box: 'apply', ...names, run: pending.run, digest: pending.digest }, isStack ? stackApplyText(row) : applyText(pending.counts), facts)]),
    ...(drift?.digest === undefined
      ? []
      : [
          boxLine({ box: 'repair', ...names, run: drift.run, digest: drift.digest }, isStack ? stackRepairText(drift.counts) : repairText(drift.counts), facts),
        ]),
  ];
}

/** One box on one line: nothing of its text is ever parsed. */
export function boxLine(box: Omit<BoxMarker, 'no'>, text: string, { answered, ticked }: Pick<DashboardFacts, 'answered' | 'ticked'>): string {
  const marker = boxMarker({ ...box, no: answered.get(answeredKey(box)) ?? 0 });
  const tick = ticked.get(marker);
  const by = tick?.by === undefined ? '' : ` · ticked by ${code(tick.by)}`;
  return `- [${tick ? 'x' : ' '}] ${text}${by} ${marker}\n`;
}

const sum = (counts: Readonly<Record<string, number | undefined>>): number => Object.values(counts).reduce<number>((all, one) => all + (one ?? 0), 0);

const applyText = (counts: NonNullable<Row['pending']>['counts']): string => `**Apply** ${count(sum(counts), 'pending change')}`;
const repairText = (counts: NonNullable<Row['drift']>['counts']): string => `**Repair** ${count(sum(counts), 'drifted resource')}, and nothing else`;

/** A stack's tool does all of its plan: what drifted is put back along with what is pending (R2.25). */
function stackApplyText({ pending, drift }: Row): string {
  const also = drift ? `, and put back what was changed outside` : '';
  return `**Apply** ${count(sum(pending?.counts ?? {}), 'pending change')} of the whole stack${also}`;
}
const stackRepairText = (counts: NonNullable<Row['drift']>['counts']): string => `**Repair** ${count(sum(counts), 'drifted resource')} of the whole stack`;
