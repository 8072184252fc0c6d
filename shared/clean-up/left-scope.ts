import type { LedgerLine } from '../ledger/entry.ts';
import { type Head, readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { scopeOwner } from '../plan/scope.ts';
import { isProtected, policyOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun, type NewRun } from '../run/create-run.ts';
import { environmentsOf } from '../run/run-scope.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { type ScopeAddress, scopeKey } from '../table/keys.ts';

/**
 * What the clean-up makes of a scope. `kept`: its pull request or branch is there, or nobody can say. `empty`: it holds nothing. `refused`:
 * it is the default branch's, or something of it is protected. `tended`: a destroy that failed is tried again already. `removing`: a run
 * was started.
 */
export type LeftAnswer = 'kept' | 'empty' | 'refused' | 'tended' | 'removing';

interface Asked {
  /** As the host has just told it. */
  readonly repository: Repository;
  readonly policy: Policy;
}

/**
 * Starts a run for a scope that nobody needs any more: one a scope and night, create-only. Whether it is so, that run asks again under its
 * lease. Own items are read before the host is asked, so that a scope without anything costs no request.
 */
export async function removeIfLeft(world: ControlWorld, { repository, policy }: Asked, address: ScopeAddress): Promise<LeftAnswer> {
  const scope = scopeKey(address);
  const ledger = (await readLedger(world.table, scope)).filter((line) => line.entries.length > 0);
  const head = await readHead(world.table, scope);
  if (!head || ledger.length === 0) return 'empty';
  if (await isTriedAgain(world, head)) return 'tended';
  const left = await placeLeft(world, repository, address, head);
  if (left === 'kept' || left === 'refused') return left;
  if (isGuarded(policy, address, ledger)) return refused(world, address, 'it is protected, or writes where people are asked first');
  const { plan, environment } = address;
  const path = (policy.plans.find(({ name }) => name === plan) ?? policyOf().plans[0])?.path as string;
  const run: NewRun = {
    intent: 'follow',
    repository,
    plan: { name: plan, path },
    environment,
    scope: address.scope,
    ...left,
    options: { busy: 'wait', cleanUp: true },
  };
  const id = await createRun(world, `clean-up#${scope}#${new Date(world.clock.now()).toISOString().slice(0, 10)}`, run);
  world.log.info('a scope was left: it is removed', { ...address, run: id });
  return 'removing';
}

/** The sweep comes back to a destroy that failed; two that try the same say everything twice. */
async function isTriedAgain(world: ControlWorld, { tombstone }: Head): Promise<boolean> {
  const run = tombstone && (await readRun(world.table, tombstone.run));
  return run?.phase === 'done' && run.resumeAt !== undefined;
}

/** Where the run of a scope that was left is at home. The host must say so in so many words. */
async function placeLeft(
  world: ControlWorld,
  repository: Repository,
  address: ScopeAddress,
  { history }: Head,
): Promise<Pick<NewRun, 'commit' | 'branch' | 'pullRequest'> | 'kept' | 'refused'> {
  const owner = scopeOwner(address.scope);
  if (owner === 'default branch') return 'refused'; // without a word: every repository has one
  if (owner === undefined) return refused(world, address, 'its name tells neither a pull request nor a branch');
  if ('pullRequest' in owner) {
    const pull = await world.codeHost.pullRequest(repository, owner.pullRequest);
    if (!pull || pull.open) return 'kept';
    return { pullRequest: owner.pullRequest, branch: pull.head.branch, commit: pull.head.sha };
  }
  const { branch } = owner;
  if (branch === repository.defaultBranch) return refused(world, address, 'it is the default branch’s');
  if ((await world.codeHost.branchTip(repository, branch)) !== undefined) return 'kept';
  return { branch, commit: history.at(-1)?.sha ?? '0'.repeat(40) };
}

const isGuarded = (policy: Policy, address: ScopeAddress, ledger: readonly LedgerLine[]): boolean =>
  isProtected(policy, address.environment) || ledger.some((line) => environmentsOf(address, line).some((environment) => isProtected(policy, environment)));

function refused(world: ControlWorld, address: ScopeAddress, why: string): 'refused' {
  world.log.warn('the clean-up leaves a scope', { ...address, why });
  return 'refused';
}
