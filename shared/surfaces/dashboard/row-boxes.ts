import { answeredKey, type BoxMarker } from '../../dashboard/box.ts';
import { boxMarker } from '../../dashboard/marker.ts';
import { type Row, stateOf } from '../../dashboard/row.ts';
import { code } from '../escape.ts';
import { count } from '../words.ts';
import type { DashboardFacts } from './facts.ts';

/** The boxes of a row: none while a run of it is at work, since what a tick would approve is changing. */
export function boxesOf(row: Row, facts: DashboardFacts): string[] {
  if (stateOf(row) === 'deploying') return [];
  const { plan, environment, pending, drift } = row;
  const names = { plan, environment };
  return [
    ...(pending?.digest === undefined ? [] : [boxLine({ box: 'apply', ...names, run: pending.run, digest: pending.digest }, applyText(pending.counts), facts)]),
    ...(drift?.digest === undefined ? [] : [boxLine({ box: 'repair', ...names, run: drift.run, digest: drift.digest }, repairText(drift.counts), facts)]),
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
