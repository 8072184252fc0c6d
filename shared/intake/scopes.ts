import type { EventRun } from '../policy/policy.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { type ScopeAddress, scopeKey } from '../table/keys.ts';

/**
 * Every place where a scope of that name may hold something: those that policy's events touch, and those the repository's list of
 * heads knows, whether a policy still names them or not. Whether there is a head is the caller's to read.
 */
export async function addressesOf(world: ControlWorld, repository: Repository, scope: string, named: readonly EventRun[]): Promise<ScopeAddress[]> {
  const listed = await world.table.list({ index: 'repo', partition: repository.id, prefix: `scope#${scope}#` });
  const byPolicy = named.map(({ plan, environment }): ScopeAddress => ({ repository: repository.id, plan, environment, scope }));
  const all = [...byPolicy, ...listed.map((item) => item['address'] as ScopeAddress)];
  return [...new Map(all.map((address) => [scopeKey(address), address])).values()];
}
