import { addressesOf } from '../approvals/effect.ts';
import type { LineResult, Run, RunLine } from '../run/items.ts';
import { addressOf, givenOutputs } from './effects.ts';
import type { Inspecting, Judged } from './inspecting.ts';
import { type Evidence, judge, type Verdict } from './judge.ts';
import { isEdited } from './to-accept.ts';

/**
 * Whether a run that a tick started does nothing with this line: none of what was ticked is of it, and it is looked at for what it gives to
 * lines of which something is.
 */
export const isBeside = (run: Pick<Run, 'options'>, { spec }: Pick<RunLine, 'spec'>): boolean =>
  run.options.ticked !== undefined && spec.approved?.length === 0;

/** What such a line says where it cannot even be looked at: nothing, which fails nobody. */
export const leftBeside: LineResult = { status: 'unchanged', changes: [], outputs: {} };

/**
 * The verdicts of a run that a tick started. What was not ticked is left as it is, be it pending, edited or refused; what was ticked is put back
 * over an edit, which is what the tick said of exactly this edit. Whether it still is that edit the line's effects tell (P7).
 */
export function asTicked(job: Inspecting, judged: readonly Judged[], evidence: readonly Evidence[]): readonly Judged[] {
  const { run, line } = job;
  if (run.options.ticked === undefined) return judged;
  const ticked = addressesOf(line.spec.approved ?? [], givenOutputs(job));
  const isTicked = ({ change }: Judged) => ticked.has(addressOf(job.op, job.call, change));
  return judged.map((resource, at) => ({ ...resource, verdict: verdictAs(resource.verdict, isTicked(resource), evidence[at] as Evidence) }));
}

function verdictAs(verdict: Verdict, isTicked: boolean, evidence: Evidence): Verdict {
  if (verdict.do === 'nothing' || verdict.do === 'rely' || verdict.do === 'leave') return verdict;
  if (isTicked) return isEdited(verdict) ? judge({ ...evidence, reconcile: true }) : verdict;
  return { do: 'leave', ...('drift' in verdict && verdict.drift ? { drift: verdict.drift } : {}) };
}

/** Said of a line of which something is left, or its receipt would call it unchanged and no more. */
export function leftNote({ run }: Pick<Inspecting, 'run'>, resources: readonly Judged[]): Readonly<Record<string, string>> {
  const left =
    run.options.ticked === undefined
      ? []
      : resources.filter(({ verdict, change }) => verdict.do === 'leave' && !verdict.ignored && change.kind !== 'unchanged');
  return left.length === 0 ? {} : { left: `not ticked: ${left.map(({ change }) => change.label).join(', ')}` };
}
