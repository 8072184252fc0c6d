import { type Decision, decide } from '../../shared/approvals/decision.ts';
import type { PlanDocument } from '../../shared/approvals/plan-document.ts';
import type { Run } from '../../shared/run/items.ts';
import { resumeById } from '../../shared/run/resume.ts';
import { commitOf, type Workbench } from './workbench.ts';

/** A person's run of `production`, planned and at rest: parked at its question, or ended without one. */
export async function askedRun(bench: Workbench, commit: string, changes: readonly object[], more: object = {}): Promise<Run> {
  bench.clock.advance(1000);
  bench.pull(7, commit, changes);
  const id = await bench.command({ commit, environment: 'production', scope: 'main', ...more });
  await bench.quiet();
  return bench.run(id);
}

/** Kim's answer to the question a run is parked at, and what has become of the run at rest. */
export async function answerRun(bench: Workbench, { id, question }: Run, verdict: Decision['verdict'] = 'approve'): Promise<Run> {
  const { q, digest } = question as NonNullable<Run['question']>;
  await decide(bench.world(), { q, digest, run: id }, { verdict, person: { name: 'kim', through: 'machine' }, at: '2026-01-01T00:00:00.000Z' });
  await bench.world().queues.control({ format: 1, run: id, group: '7101' });
  await bench.quiet();
  return bench.run(id);
}

/** A run of `production`, asked about once and approved, at rest. */
export const approvedRun = async (bench: Workbench, commit: string, changes: readonly object[]): Promise<Run> =>
  answerRun(bench, await askedRun(bench, commit, changes));

/** The commit's deployment ends, and the run that waits for it goes on. */
export async function deployedTo(bench: Workbench, run: Run, commit: string): Promise<Run> {
  bench.provider.deploy(commitOf(commit), 'success');
  await resumeById(bench.world(), run.id);
  await bench.quiet();
  return bench.run(run.id);
}

/** What a run asks about, as it is stored. */
export function plannedIn(bench: Workbench, { question }: Run): PlanDocument {
  const body = bench.bucket.bodies(`plans/${question?.digest}.json`).at(-1);
  if (body === undefined) throw new Error('there is no plan');
  return JSON.parse(body) as PlanDocument;
}
