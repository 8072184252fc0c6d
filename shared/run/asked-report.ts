import { LockkeeperError } from '../errors/error.ts';
import { readStops } from '../guard/stale.ts';
import { sinceAskedBefore } from './asked-before.ts';
import { reportOf } from './assemble.ts';
import type { Run, RunLine } from './items.ts';
import { managedNow } from './managed.ts';
import { planInputs } from './plan-inputs.ts';
import type { ReportedQuestion, RunReport } from './report.ts';
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
  const planned = reportOf(run, {
    status: 'awaiting',
    lines,
    inputs: planInputs(world, lines),
    managed: await managedNow(world, run),
    finishedAt: new Date(world.clock.now()).toISOString(),
    stops: await readStops(world, run.id),
  });
  const earlier = await sinceAskedBefore(world, run, planned.lines);
  const asked: ReportedQuestion = {
    digest,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(approvers && { approvers }),
    ...(required !== undefined && required > 1 && { required }),
    ...(allowSelf && { allowSelf }),
    ...(earlier && { earlier }),
  };
  const report: RunReport = { ...planned, question: asked };
  const key = `runs/${run.id}/question-${question.q}-${run.step?.attempt ?? 0}.json`;
  await world.objects.put(key, JSON.stringify(world.redactor.maskJson(report)), { ifAbsent: true });
  return key;
}

/**
 * What was put to people, as it was stored, and how it stands now: every value in it is masked.
 *
 * @throws LockkeeperError RECEIPT_CORRUPT when it is gone.
 */
export async function readAsked({ objects }: Pick<ControlWorld, 'objects'>, run: Run): Promise<RunReport> {
  const stored = run.report === undefined ? undefined : await objects.get(run.report);
  if (!stored) throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: `What run ${run.id} asked is not in the bucket.` });
  return asItStands(JSON.parse(stored.body) as RunReport, run);
}

/** The question as it stands now: some of those who must approve it may have, and a freeze may keep it from being applied. */
export function asItStands(report: RunReport, run: Pick<Run, 'approvals' | 'question' | 'frozen'>): RunReport {
  const { approvals, question } = run;
  if (report.status !== 'awaiting' || !report.question) return report;
  const approved = approvals && approvals.q === question?.q && approvals.by.length > 0 ? { required: approvals.required, approvedBy: approvals.by } : {};
  return { ...report, question: { ...report.question, ...approved }, ...frozenOf(run) };
}

function frozenOf({ frozen, question }: Pick<Run, 'question' | 'frozen'>): Pick<RunReport, 'frozen'> {
  if (!frozen || frozen.q !== question?.q) return {};
  const { q: _q, ...freeze } = frozen;
  return { frozen: freeze };
}
