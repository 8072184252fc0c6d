import type { CommandIntake } from '../../events/command-intake.ts';
import { LockkeeperError } from '../errors/error.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { scopeName } from '../plan/scope.ts';
import type { Policy, PolicyPlan } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { NewRun } from '../run/create-run.ts';
import type { RunKind } from '../run/report.ts';
import type { ControlWorld } from '../run/world.ts';

/** A command that is no retry. */
type Asked = CommandIntake & { readonly intent: RunKind };

/**
 * The run that a person's command asks for: which plan the file is, in which scope the commit belongs, and that it is pushed.
 *
 * @throws LockkeeperError with why there is no run: PLAN_MISSING, COMMIT_NOT_PUSHED, NOT_FOUND, POLICY_DENIED, USAGE.
 */
export async function runOfCommand(world: ControlWorld, repository: Repository, policy: Policy, command: Asked): Promise<NewRun> {
  const plan = planAt(policy, command.path);
  const place =
    command.pullRequest === undefined ? await onBranch(world, repository, command) : await onPullRequest(world, repository, command, command.pullRequest);
  const { environment, commit, person } = command;
  const scope = scopeName({ pullRequest: place.pullRequest, branch: place.branch, defaultBranch: repository.defaultBranch });
  const { only, confirmed, recreate } = command;
  const told = { ...(only === undefined ? {} : { only }), ...(confirmed ? { confirmed } : {}), ...(recreate ? { recreate } : {}) };
  const busy = command.intent === 'recover' ? 'fail' : 'wait';
  const options = { busy, ...(command.reconcile ? { reconcile: true } : {}), ...told } as const;
  return {
    repository,
    plan: { name: plan.name, path: plan.path },
    environment,
    scope,
    commit,
    ...place,
    options,
    ...(person.name === undefined ? {} : { triggeredBy: person.name }),
  };
}

/** The plan that a file is by the policy. @throws LockkeeperError PLAN_MISSING. */
export function planAt({ plans }: Policy, path: string): PolicyPlan {
  const plan = plans.find((one) => one.path === path);
  if (plan) return plan;
  const message = `lockkeeper.yaml on the default branch names no plan at ${quoted(path)}: it names ${listed(plans.map((one) => one.path))}.`;
  throw new LockkeeperError({ code: 'PLAN_MISSING', message, hint: 'Name one of them with --plan, or add the file to `plans`.' });
}

/** What works from the ledger and its receipts alone. */
const needsNoCommit: ReadonlySet<RunKind> = new Set<RunKind>(['destroy', 'prune', 'recover']);

type Place = Pick<NewRun, 'intent' | 'branch'> & { readonly pullRequest?: number };

/** A commit of a branch. A destroy needs none: the branch may be gone. */
async function onBranch(world: ControlWorld, repository: Repository, { intent, branch, commit }: Asked): Promise<Place> {
  if (needsNoCommit.has(intent)) return { intent, branch };
  const tip = await world.codeHost.branchTip(repository, branch);
  await judgePushed(world, repository, commit, tip, `branch ${quoted(branch)}`);
  return { intent, branch };
}

/**
 * A commit of a pull request of the repository's own. An apply follows the pull request, as a webhook's does: its head alone is
 * applied, and one that is closed meanwhile is removed (P6).
 */
async function onPullRequest(world: ControlWorld, repository: Repository, { intent, commit }: Asked, number: number): Promise<Place> {
  const pull = await world.codeHost.pullRequest(repository, number);
  const called = `pull request #${number}`;
  if (!pull) throw new LockkeeperError({ code: 'NOT_FOUND', message: `There is no ${called} in ${repository.owner}/${repository.name}.`, hint: 'Check --pr.' });
  if (pull.head.fork)
    throw new LockkeeperError({
      code: 'POLICY_DENIED',
      message: `${called} comes from a fork: it gets no secret and no apply.`,
      hint: 'Push the branch to the repository itself.',
    });
  const { branch } = pull.head;
  if (needsNoCommit.has(intent)) return { intent, branch, pullRequest: number };
  if (intent === 'apply' && !pull.open) {
    throw new LockkeeperError({ code: 'USAGE', message: `${called} is closed: what it made is removed.`, hint: 'Open it again to have it applied.' });
  }
  await judgePushed(world, repository, commit, pull.head.sha, called);
  return { intent: intent === 'apply' ? 'follow' : intent, branch, pullRequest: number };
}

/**
 * A commit counts as pushed when it lies on the branch: GitHub serves commits of every fork under the name of their parent, so that it
 * knows a commit says nothing.
 */
async function judgePushed(world: ControlWorld, repository: Repository, commit: string, tip: string | undefined, where: string): Promise<void> {
  if (tip === commit) return;
  if (tip !== undefined && (await world.codeHost.ancestry(repository, commit, tip)) === 'behind') return;
  const message = `Commit ${commit.slice(0, 7)} is not on ${where} of ${repository.owner}/${repository.name}.`;
  throw new LockkeeperError({ code: 'COMMIT_NOT_PUSHED', message });
}
