import type { IntakeOf } from '../../events/intake.ts';
import { readHead } from '../ledger/head.ts';
import { scopeName } from '../plan/scope.ts';
import { type EventRun, policyOf, runsFor } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { PullRequest, Repository } from '../ports/code-host.ts';
import { createRun, type NewRun } from '../run/create-run.ts';
import type { ControlWorld } from '../run/world.ts';
import { scopeKey } from '../table/keys.ts';
import { type Cause, causeOf } from './cause.ts';
import { planMerge } from './plan-merge.ts';
import { findPolicy, policyIfAny, showBrokenPolicy } from './policy.ts';
import { addressesOf } from './scopes.ts';
import { showFork, showNothingToDo, showStillManaged } from './still-managed.ts';

/** A pull request at a commit that an event named. */
interface At {
  readonly number: number;
  readonly commit: string;
  readonly branch: string;
}

/**
 * A pull request was opened, moved or closed, or so the event says. What is true of it the host tells; what its commit demands is
 * judged by each run under its lease.
 */
export async function pullRequestHappened(world: ControlWorld, intake: IntakeOf<'pull_request'>, repository: Repository): Promise<void> {
  const { number, fork, headSha, headBranch } = intake.pullRequest;
  const pull = fork ? undefined : await world.codeHost.pullRequest(repository, number);
  if (fork || pull?.head.fork) return fromFork(world, intake, repository);
  const at: At = { number, commit: headSha, branch: pull?.head.branch ?? headBranch };
  if (intake.action === 'closed') return closedPullRequest(world, causeOf(intake), repository, at);
  if (!pull) return world.log.warn('the host has no such pull request', { intake: intake.id, repository: repository.id, pullRequest: number });
  if (intake.action === 'edited') return planMergeOf(world, causeOf(intake), repository, pull, headSha);
  await openPullRequest(world, causeOf(intake), repository, pull, headSha);
}

/** What its merge would do alone: it goes to another branch by now, and what its own events touch is as it was. */
export async function planMergeOf(world: ControlWorld, cause: Cause, repository: Repository, pull: PullRequest, commit: string): Promise<void> {
  const { policy, broken } = await findPolicy(world, repository);
  if (!pull.open || pull.head.sha !== commit) return;
  if (broken) return showBrokenPolicy(world, repository, commit, broken);
  if (isForDefault(repository, pull)) await planMerge(world, cause, repository, policy, commit);
}

/** What is merged into another branch starts none of the default one’s runs. */
const isForDefault = ({ defaultBranch }: Repository, { base }: PullRequest): boolean => (base ?? defaultBranch) === defaultBranch;

/** A fork's code gets nothing, and is told so where people look for a check. */
async function fromFork(world: ControlWorld, { id, action, pullRequest }: IntakeOf<'pull_request'>, repository: Repository): Promise<void> {
  world.log.info('a pull request from a fork gets no secret and no apply', { intake: id });
  if (action !== 'closed') await showFork(world, repository, pullRequest.headSha);
}

/** One run per plan and environment of policy, for a commit that is, or was, the head. */
export async function openPullRequest(world: ControlWorld, cause: Cause, repository: Repository, pull: PullRequest, commit: string): Promise<void> {
  const { policy, broken } = await findPolicy(world, repository);
  const present = pull.open && pull.head.sha === commit;
  if (broken) return present ? showBrokenPolicy(world, repository, commit, broken) : undefined;
  const runs = runsFor(policy, { kind: 'pull_request' });
  if (present && runs.length === 0) await showNothingToDo(world, repository, policy, commit);
  for (const each of runs) {
    const run = runFor(cause, repository, { number: pull.number, commit, branch: pull.head.branch }, each);
    if (await world.codeHost.file(repository, each.path, commit)) await createRun(world, cause.start, run);
    else if (present) await showStillManaged(world, run, policy);
  }
  if (present && isForDefault(repository, pull)) await planMerge(world, cause, repository, policy, commit);
}

/**
 * One run per environment whose head exists, whether the plan file or the policy still names it or not; a policy that cannot be read
 * keeps nothing from being removed. Each run asks the host what is true.
 */
async function closedPullRequest(world: ControlWorld, cause: Cause, repository: Repository, at: At): Promise<void> {
  const policy = (await policyIfAny(world, repository)) ?? policyOf();
  for (const address of await addressesOf(world, repository, scopeOf(repository, at), runsFor(policy, { kind: 'pull_request' }))) {
    const { plan, environment } = address;
    if (!(await readHead(world.table, scopeKey(address)))) continue;
    await createRun(world, cause.start, runFor(cause, repository, at, { plan, environment, path: pathOf(policy, plan) }));
  }
}

function runFor({ by }: Cause, repository: Repository, at: At, { plan, path, environment }: EventRun): NewRun {
  return {
    intent: 'follow',
    repository,
    plan: { name: plan, path },
    environment,
    scope: scopeOf(repository, at),
    commit: at.commit,
    branch: at.branch,
    pullRequest: at.number,
    triggeredBy: by,
    options: { busy: 'wait' },
  };
}

const scopeOf = ({ defaultBranch }: Repository, { number, branch }: At): string => scopeName({ pullRequest: number, branch, defaultBranch });

/** A destroy reads no plan file: of a plan that no policy names any more, the path is only told. */
const pathOf = ({ plans }: Policy, plan: string): string => plans.find(({ name }) => name === plan)?.path ?? (policyOf().plans[0]?.path as string);
