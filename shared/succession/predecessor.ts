import { readHead } from '../ledger/head.ts';
import { scopeName } from '../plan/scope.ts';
import type { Run } from '../run/items.ts';
import { runAddress } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { type ScopeAddress, scopeKey } from '../table/keys.ts';

/** Branches that stand for more than one pull request, wherever nobody can say which is the default one. */
const longLived: ReadonlySet<string> = new Set(['main', 'master']);

/**
 * The scope that a pull request's head branch had before it was a pull request, in the same plan and environment. None where the head is
 * the default branch or comes from a fork: what those branches manage is not this pull request's to end (R1.30). The host is asked, since
 * whoever has the webhook's secret could name any branch; git on a person's machine knows of no pull request, and that person's own scopes
 * are all there is.
 */
export async function predecessorOf(world: ControlWorld, run: Run): Promise<ScopeAddress | undefined> {
  const { pullRequest, branch, repository } = run;
  if (pullRequest === undefined || branch === '' || branch === repository.defaultBranch || longLived.has(branch)) return undefined;
  const address = { ...runAddress(run), scope: scopeName({ pullRequest: undefined, branch, defaultBranch: repository.defaultBranch }) };
  if (!(await readHead(world.table, scopeKey(address)))) return undefined;
  return (await isItsBranch(world, run, pullRequest)) ? address : undefined;
}

async function isItsBranch(world: ControlWorld, { repository, branch }: Run, number: number): Promise<boolean> {
  if (!world.codeHost.surfaces) return true;
  const pull = await world.codeHost.pullRequest(repository, number);
  return pull?.open === true && !pull.head.fork && pull.head.branch === branch;
}
