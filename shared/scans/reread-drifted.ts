import { mainScope } from '../plan/scope.ts';
import { inEnvironment } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { scopeKey } from '../table/keys.ts';
import { plansReleasedIn } from './begin-scans.ts';
import { readAllDriftFound } from './found.ts';
import { startScan } from './start-scan.ts';

/**
 * A push reads again what is known to have drifted, and what could not be looked at the last time, and nothing else (R2.6): without that, what
 * its commit changes would stand beside an old sight of the same lines.
 */
export async function rereadDrifted(world: ControlWorld, repository: Repository, policy: Policy, commit: string): Promise<void> {
  for (const environment of Object.keys(policy.environments)) {
    if (!inEnvironment(policy, environment).drift.enabled) continue;
    for (const { name, path } of await plansReleasedIn(world, repository, policy, environment)) {
      const known = await readAllDriftFound(world.table, scopeKey({ repository: repository.id, plan: name, environment, scope: mainScope }));
      const lines = [...known.values()].filter((one) => one.drifted !== undefined || one.failed !== undefined).map(({ line }) => line);
      if (lines.length === 0 || !(await world.codeHost.file(repository, path, commit))) continue;
      await startScan(world, { repository, plan: { name, path }, environment, commit, scan: { by: 'push', slot: commit, lines } });
    }
  }
}
