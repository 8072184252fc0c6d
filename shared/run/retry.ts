import { LockkeeperError } from '../errors/error.ts';
import { createRun } from './create-run.ts';
import type { Run } from './items.ts';
import { resumeRun } from './resume.ts';
import type { JobWorld } from './world.ts';

/**
 * Runs a run again: a new one for the same commit, plan, environment, scope and options, whatever the first came to. A person's retry
 * is a new intake (P6); what it does is judged by the world under its own lease, so that a retry of an old commit changes nothing.
 * A run that waits for an event, and a destroy that the sweep would try again, go on as they are instead.
 *
 * @param start what asked for it: an intake's id, so that the same event starts one run; without one every call is a retry of its own.
 * @param triggeredBy GitHub login of the person who asks; the first run's person answers for nothing of the second.
 * @returns the id of the run that is at work now. @throws LockkeeperError RUN_NOT_OVER while the run is at work or asks; USAGE for one that a tick started.
 */
export async function retryRun(world: JobWorld, run: Run, start: string = world.ids.fresh(), triggeredBy?: string): Promise<string> {
  if (await resumeRun(world, run)) return run.id;
  if (run.options.ticked) throw tickAgain();
  if (run.phase !== 'done') throw notOver(run);
  const { intent, repository, plan, environment, scope, commit, branch, pullRequest } = run;
  // To delete something and make it anew is said of one run, and never repeated by "once more".
  const { recreate: _said, ...options } = run.options;
  const { name, path, object } = plan;
  // A person's word about what a line finds was for the run that was made for it.
  const { adopt: _lift, accept: _acceptance, ...kept } = options;
  return createRun(world, start, {
    intent,
    repository,
    plan: { name, path, ...(object === undefined ? {} : { object }) },
    environment,
    scope,
    commit,
    branch,
    options: kept,
    retryOf: run.id,
    ...(pullRequest === undefined ? {} : { pullRequest }),
    ...(triggeredBy === undefined ? {} : { triggeredBy }),
  });
}

/** What was ticked then was ticked once. */
function tickAgain(): LockkeeperError {
  return new LockkeeperError({ code: 'USAGE', message: 'That run did what somebody ticked on the dashboard.', hint: 'Tick the box as it is now.' });
}

function notOver(run: Run): LockkeeperError {
  const short = run.id.slice(0, 12);
  if (run.phase !== 'awaiting') return new LockkeeperError({ code: 'RUN_NOT_OVER', message: `Run ${short} is at work: it is ${run.phase}.` });
  const digest = run.question?.digest.slice(0, 12) ?? '';
  const hint = `Answer it with \`lockkeeper approve ${digest}\` or \`lockkeeper reject ${digest}\`; then run it again if need be.`;
  return new LockkeeperError({ code: 'RUN_NOT_OVER', message: `Run ${short} waits for an answer to ${digest}.`, hint });
}
