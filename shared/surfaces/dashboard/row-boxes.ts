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
      : [boxLine({ box: 'apply', ...names, run: pending.run, digest: pending.digest }, `${applyText(pending)}${isStack ? ofStack(drift) : ''}`, facts)]),
    ...(drift?.digest === undefined
      ? []
      : [boxLine({ box: 'repair', ...names, run: drift.run, digest: drift.digest }, repairText(drift.counts, isStack), facts)]),
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

/** What is taken away, and whose edit is written over, is said in the box itself: the list below may be folded, or have found no room. */
function applyText({ counts, changes }: NonNullable<Row['pending']>): string {
  const { delete: deleted = 0, replace: replaced = 0 } = counts;
  const over = changes.filter(({ drifted }) => drifted !== undefined && drifted !== 'gone').length;
  const told = [
    ...(deleted === 0 ? [] : [`deletes ${deleted}`]),
    ...(replaced === 0 ? [] : [`replaces ${replaced}`]),
    ...(over === 0 ? [] : [`writes over ${count(over, 'edit')}`]),
  ];
  return `**Apply** ${count(sum(counts), 'pending change')}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

/** What is gone comes back as the plan makes it, without what was in it. */
function repairText(counts: NonNullable<Row['drift']>['counts'], isStack: boolean): string {
  const anew =
    counts.gone === undefined || counts.gone === 0
      ? ''
      : `: ${counts.gone} that ${counts.gone === 1 ? 'is' : 'are'} gone ${counts.gone === 1 ? 'is' : 'are'} made anew`;
  return `**Repair** ${count(sum(counts), 'drifted resource')}${isStack ? ' of the stack' : ', and nothing else'}${anew}`;
}

/** A stack's tool does all of its plan or nothing: what drifted is put back along with what is pending (R2.25). */
const ofStack = (drift: Row['drift']): string =>
  ` · all that its tool would do${drift ? `: ${count(sum(drift.counts), 'drifted resource')} put back as well` : ''}`;
