import { readStops } from '../guard/stale.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { writtenBy } from '../ledger/written-by.ts';
import { sinceAskedBefore } from './asked-before.ts';
import { reportOf } from './assemble.ts';
import type { Run, RunLine } from './items.ts';
import { managedNow } from './managed.ts';
import { orphansOf } from './orphans.ts';
import { planInputs } from './plan-inputs.ts';
import { isRemoval, type ReportedQuestion, type RunReport } from './report.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/**
 * Stores what a question puts to people, before the run is parked: the lines with their changes, the digest, until when, and how often
 * the world moved before. Named by the question and by the attempt of its step, because each attempt has an expiry of its own; the run
 * item says which one counts.
 *
 * @param world whose redactor knows the run's secrets. @returns the object's key.
 */
export async function storeAsked(world: ControlWorld, run: Run, question: NonNullable<Run['question']>, lines: readonly RunLine[]): Promise<string> {
  const { digest, expiresAt } = question;
  const { approvers, required, allowSelf } = run;
  const ledger = await readLedger(world.table, runScope(run));
  const done = run.round > 1 ? writtenBy(run.id, ledger) : [];
  // What an approval lets go of, too: a line that left the plan, or a resource that its line wants no more, is nobody's from then on.
  const drift = isRemoval(run.kind) ? [] : orphansOf(ledger, lines).drift;
  const planned = reportOf(run, {
    status: 'awaiting',
    lines,
    inputs: planInputs(world, lines),
    managed: await managedNow(world, run),
    finishedAt: new Date(world.clock.now()).toISOString(),
    stops: await readStops(world, run.id),
    drift,
  });
  const earlier = await sinceAskedBefore(world, run, planned.lines);
  const asked: ReportedQuestion = {
    digest,
    q: question.q,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(approvers && { approvers }),
    ...(required !== undefined && required > 1 && { required }),
    ...(allowSelf && { allowSelf }),
    ...(earlier && { earlier }),
  };
  const report: RunReport = { ...planned, question: asked, ...(done.length > 0 ? { done } : {}) };
  const key = `runs/${run.id}/question-${question.q}-${run.step?.attempt ?? 0}.json`;
  await world.objects.put(key, JSON.stringify(world.redactor.maskJson(report)), { ifAbsent: true });
  return key;
}
