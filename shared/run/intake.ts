import { type Intake, intake as intakeSchema } from '../../events/intake.ts';
import { noteEvent, readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { scopeName } from '../plan/scope.ts';
import type { Repository } from '../ports/code-host.ts';
import type { Item } from '../ports/table.ts';
import { renderStillManaged } from '../surfaces/check.ts';
import { any, equal } from '../table/condition.ts';
import { runKey, type ScopeAddress, scopeKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { createRun, type NewRun } from './create-run.ts';
import { noteRepository } from './known-repository.ts';
import { resumeById } from './resume.ts';
import type { ControlWorld } from './world.ts';

/** Which plan and environment a pull request touches, until a policy says otherwise. */
const pullRequestDefaults = { plan: 'main', path: 'release.plan.yaml', environment: 'preview' } as const;

/**
 * The intake step (P6): from what a webhook recorded to one run per plan and environment, each create-only under a hash of
 * the intake; or, for a deployment, to a note on the scopes that may wait for it. Repeating it changes nothing.
 */
export async function intakeStep(world: ControlWorld, item: Item): Promise<void> {
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const recorded = intakeSchema.parse(attributes);
  if (recorded.status === 'done') return;
  const repository = await repositoryOf(world, recorded);
  const intake = { ...recorded, repository: repository ?? recorded.repository };
  if (repository) await noteRepository(world, repository);
  if (!repository) world.log.warn('the host has no such repository under that id', { intake: intake.id, repository: intake.repository.id });
  else if (intake.event === 'deployment_status') await deploymentEvent(world, intake);
  else if (intake.pullRequest?.fork) world.log.info('a pull request from a fork gets no secret and no apply', { intake: intake.id });
  else if (intake.action === 'closed') await closedPullRequest(world, intake);
  else await openPullRequest(world, intake);
  const open = any(equal('status', 'recorded'), equal('status', 'died'));
  await write(world, runKey(intake.id), { set: { status: 'done' }, remove: ['since'] }, open);
}

/**
 * The repository as the host tells it. Its default branch says where the policy lies, its id which scopes are its own: neither is
 * taken from a webhook, since whoever has the webhook's secret could name others.
 */
async function repositoryOf(world: ControlWorld, { repository }: Intake): Promise<Repository | undefined> {
  const found = await world.codeHost.repository(repository);
  return found?.id === repository.id ? found : undefined;
}

function runFor(intake: Intake, at: { plan: string; path: string; environment: string }): NewRun {
  const pull = intake.pullRequest as NonNullable<Intake['pullRequest']>;
  return {
    intent: 'follow',
    repository: intake.repository,
    plan: { name: at.plan, path: at.path },
    environment: at.environment,
    scope: scopeName({ pullRequest: pull.number, branch: pull.headBranch, defaultBranch: intake.repository.defaultBranch }),
    commit: pull.headSha,
    branch: pull.headBranch,
    pullRequest: pull.number,
    triggeredBy: intake.sender.login,
    options: { busy: 'wait' },
  };
}

async function openPullRequest(world: ControlWorld, intake: Intake): Promise<void> {
  const run = runFor(intake, pullRequestDefaults);
  const plan = await world.codeHost.file(run.repository, run.plan.path, run.commit);
  if (plan) {
    await createRun(world, intake.id, run);
    return;
  }
  await showStillManaged(world, run);
}

/** No plan file at this commit: nothing is done and nothing said, unless the scope still holds something (then a check says what). */
async function showStillManaged(world: ControlWorld, run: NewRun): Promise<void> {
  const ledger = await readLedger(world.table, scopeKey(addressOf(run)));
  const held = ledger.filter((line) => line.entries.length > 0).map((line) => ({ id: line.line, keys: line.entries.map((entry) => entry.key) }));
  if (held.length === 0 || !world.codeHost.surfaces) return;
  const { plan, environment, scope, commit, repository } = run;
  const check = renderStillManaged({ plan: { name: plan.name, path: plan.path }, environment, scope, commit, lines: held });
  await world.codeHost.surfaces.upsertCheck(repository, { ...check, commit, externalId: `still-managed-${commit}`, status: 'completed' });
}

const addressOf = (run: NewRun): ScopeAddress => ({ repository: run.repository.id, plan: run.plan.name, environment: run.environment, scope: run.scope });

/** One run per environment whose head exists, whether the plan file still names it or not; the run asks the host what is true. */
async function closedPullRequest(world: ControlWorld, intake: Intake): Promise<void> {
  const first = runFor(intake, pullRequestDefaults);
  const listed = await world.table.list({ index: 'repo', partition: intake.repository.id, prefix: `scope#${first.scope}#` });
  const addresses = [addressOf(first), ...listed.map((item) => item['address'] as ScopeAddress)];
  const distinct = new Map(addresses.map((address) => [scopeKey(address), address]));
  for (const { plan, environment } of distinct.values()) {
    if (!(await readHead(world.table, scopeKey({ ...addressOf(first), plan, environment })))) continue;
    await createRun(world, intake.id, runFor(intake, { plan, path: pullRequestDefaults.path, environment }));
  }
}

const finished: ReadonlySet<string> = new Set(['success', 'failure', 'error']);

/** Noted on the head of every scope of that commit's open pull requests before anyone looks for a run that waits (P5). */
async function deploymentEvent(world: ControlWorld, intake: Intake): Promise<void> {
  const deployment = intake.deployment as NonNullable<Intake['deployment']>;
  if (!finished.has(deployment.state)) return;
  const pulls = await world.codeHost.pullRequestsAt(intake.repository, deployment.sha);
  for (const pull of pulls) {
    const scope = scopeName({ pullRequest: pull.number, branch: pull.head.branch, defaultBranch: intake.repository.defaultBranch });
    const listed = await world.table.list({ index: 'repo', partition: intake.repository.id, prefix: `scope#${scope}#` });
    const fallback: ScopeAddress = { repository: intake.repository.id, plan: pullRequestDefaults.plan, environment: pullRequestDefaults.environment, scope };
    const keys = new Set([scopeKey(fallback), ...listed.map((item) => scopeKey(item['address'] as ScopeAddress))]);
    for (const key of keys) await tellScope(world, key, `deployment:${deployment.sha}:${deployment.state}`);
  }
}

async function tellScope(world: ControlWorld, scope: string, note: string): Promise<void> {
  if (!(await noteEvent(world, scope, note))) return;
  const head = await readHead(world.table, scope);
  for (const run of head?.openRuns ?? []) await resumeById(world, run);
}
