import { isRetry } from '../../events/comment-in.ts';
import type { Intake, IntakeOf } from '../../events/intake.ts';
import { problemOf } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import type { Run } from '../run/items.ts';
import { publish, publishStart } from '../run/publish.ts';
import { readAsked } from '../run/read-asked.ts';
import { retryRun } from '../run/retry.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { causeOf } from './cause.ts';
import { isPlannedLaterCheck } from './plan-merge.ts';
import { findPolicy, isPolicyCheck, showMendedPolicy } from './policy.ts';
import { openPullRequest, planMergeOf } from './pull-request.ts';
import { pushedDefaultBranch } from './push.ts';
import { isStillManagedCheck, showFork } from './still-managed.ts';
import { asWritten } from './written.ts';

/** How many of a repository's latest runs are looked through for those of a commit. */
const latest = 500;

/**
 * "Re-run" on one check of ours: the run whose id it carries, if that run is of this repository and commit, is run again as a new
 * intake. A check that stands for no run asks for what its commit's event should have started.
 */
export async function rerequestedCheck(world: ControlWorld, intake: IntakeOf<'check_run'>, repository: Repository): Promise<void> {
  const { sha, externalId } = intake.check;
  if (isPolicyCheck(externalId, sha)) return mendedPolicy(world, intake, repository, sha);
  if (isPlannedLaterCheck(externalId, sha)) return mergeAgain(world, intake, repository, sha);
  if (isStillManagedCheck(externalId, sha)) return commitAgain(world, intake, repository, sha);
  const run = await readRun(world.table, externalId);
  if (run?.repository.id !== repository.id || run.commit !== sha) return world.log.warn('a check that is none of ours', { intake: intake.id });
  await again(world, intake, run);
}

/** "Re-run all checks" of a commit: the newest run of each plan, environment and scope. Without any, what its event should have started. */
export async function rerequestedSuite(world: ControlWorld, intake: IntakeOf<'check_suite'>, repository: Repository): Promise<void> {
  const runs = await runsOf(world, repository, ({ commit }) => commit === intake.suite.sha);
  for (const run of newestOfEach(runs)) await again(world, intake, run);
  if (runs.length === 0) await mendedPolicy(world, intake, repository, intake.suite.sha);
}

/**
 * `/lockkeeper retry`, written on an open pull request by somebody who may push to the repository: the newest run of its head that is
 * over is run again.
 */
export async function retryComment(world: ControlWorld, intake: IntakeOf<'issue_comment'>, repository: Repository): Promise<void> {
  const heard = await heardComment(world, intake, repository, isRetry);
  if ('ignored' in heard) return world.log.info(`a comment asked for a retry: ${heard.ignored}`, { intake: intake.id, ...intake.comment });
  const [run] = heard.runs.filter(({ phase }) => phase === 'done');
  if (!run) return world.log.info('a comment asked for a retry: no run of its head is over', { intake: intake.id, ...intake.comment });
  await again(world, intake, run);
}

/**
 * The runs of the pull request's head, newest first; or why its comment is not listened to.
 *
 * @param says whether a text says what the event says the comment does. @param closedToo what is said counts on a closed pull request as well.
 */
export async function heardComment(
  world: ControlWorld,
  intake: IntakeOf<'issue_comment'>,
  repository: Repository,
  says: (body: string) => boolean,
  closedToo = false,
): Promise<{ readonly runs: readonly Run[] } | { readonly ignored: string }> {
  const { sender, comment } = intake;
  const { pullRequest } = comment;
  if (sender.type === 'Bot') return { ignored: 'a program wrote it' };
  const permission = await world.codeHost.permission(repository, sender.login);
  if (!['write', 'maintain', 'admin'].includes(permission)) return { ignored: 'its author may not push here' };
  // Recorded by a version before, which did not keep which comment it was.
  const known = comment.id === undefined || (await asWritten(world, intake, repository, says));
  if (!known) return { ignored: 'the host has another comment there' };
  const pull = await world.codeHost.pullRequest(repository, pullRequest);
  if (!pull || !(pull.open || closedToo) || pull.head.fork) return { ignored: 'the pull request is not open, or comes from a fork' };
  return { runs: await runsOf(world, repository, (one) => one.commit === pull.head.sha && one.pullRequest === pullRequest) };
}

/** Runs that events started, newest first. What a person started from a terminal, with options of their own, is theirs to run again. */
async function runsOf(world: ControlWorld, repository: Repository, fits: (run: Run) => boolean): Promise<Run[]> {
  const listed = await world.table.list({ index: 'repo', partition: repository.id, prefix: 'run#', newestFirst: true, limit: latest });
  const ids = (listed as unknown as Run[]).filter((run) => run.intent === 'follow' && !run.options.ticked && fits(run)).map(({ id }) => id);
  const runs = await Promise.all(ids.map((id) => readRun(world.table, id)));
  return runs.filter((run): run is Run => run !== undefined && fits(run));
}

/** Of each plan, environment and scope the newest. */
export const newestOfEach = (runs: readonly Run[]): Run[] => [
  ...new Map(runs.toReversed().map((run) => [JSON.stringify([run.plan.name, run.environment, run.scope]), run])).values(),
];

/** A run that is not over goes on as it is; its check, which the host has reset, says so. */
async function again(world: ControlWorld, intake: Intake, run: Run): Promise<void> {
  if (run.intent !== 'follow' && !run.options.afterMerge)
    return world.log.warn('a run from a terminal is run again from a terminal', { intake: intake.id, run: run.id });
  // What was ticked is ticked again, on the dashboard as it is now: its check says what came of it.
  if (run.options.ticked && run.phase === 'done') return publish(world, run, await readAsked(world, run));
  const { start, by } = causeOf(intake);
  try {
    // Two pull requests may have one head: the scope keeps their runs apart.
    const id = await retryRun(world, run, `${start}#${run.scope}`, by);
    world.log.info('run again', { intake: intake.id, run: run.id, again: id });
  } catch (error) {
    if (problemOf(error).code !== 'RUN_NOT_OVER') throw error;
    world.log.info('not run again: it is not over', { intake: intake.id, run: run.id });
    await (run.phase === 'awaiting' ? publish(world, run, await readAsked(world, run)) : publishStart(world, run));
  }
}

async function mendedPolicy(world: ControlWorld, intake: Intake, repository: Repository, commit: string): Promise<void> {
  if (intake.event === 'check_run' && (await findPolicy(world, repository)).policy) await showMendedPolicy(world, repository, commit);
  await commitAgain(world, intake, repository, commit);
}

/** What merging this commit would do, asked for again: policy may let more of it be looked at by now. */
async function mergeAgain(world: ControlWorld, intake: Intake, repository: Repository, commit: string): Promise<void> {
  const { start, by } = causeOf(intake);
  for (const pull of await world.codeHost.pullRequestsAt(repository, commit)) {
    if (!pull.head.fork) await planMergeOf(world, { start: `${start}#${pull.number}`, by }, repository, pull, commit);
  }
}

/** What the events of this commit start, as the host has it now: its open pull requests, and the default branch whose tip it is. */
async function commitAgain(world: ControlWorld, intake: Intake, repository: Repository, commit: string): Promise<void> {
  const { start, by } = causeOf(intake);
  for (const pull of await world.codeHost.pullRequestsAt(repository, commit)) {
    if (pull.head.fork) await showFork(world, repository, commit);
    else await openPullRequest(world, { start: `${start}#${pull.number}`, by }, repository, pull, commit);
  }
  const tip = await world.codeHost.branchTip(repository, repository.defaultBranch);
  if (tip === commit) await pushedDefaultBranch(world, { start, by }, repository, commit);
}
