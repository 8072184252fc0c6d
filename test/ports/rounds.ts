/** Runs of production on the workbench, one after the other, and the rounds that follow a wait. */
import type { PlanDocument } from '../../shared/approvals/plan-document.ts';
import type { Run } from '../../shared/run/items.ts';
import { resumeById } from '../../shared/run/resume.ts';
import { answer, askedRun } from './people.ts';
import { commitOf, type Workbench } from './workbench.ts';

/** A run that is newer than all before it: parked at its question, or ended without one. */
export async function nextRun(bench: Workbench, commit: string, changes: readonly object[], more: object = {}): Promise<Run> {
  bench.clock.advance(1000);
  return askedRun(bench, changes, commit, more);
}

/** Such a run, asked about once and approved, at rest. */
export const approvedRun = async (bench: Workbench, commit: string, changes: readonly object[], more: object = {}): Promise<Run> =>
  answer(bench, await nextRun(bench, commit, changes, more));

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
