import { readRows } from '../dashboard/change-row.ts';
import { moveTick } from '../dashboard/move-tick.ts';
import type { Tick } from '../dashboard/tick.ts';
import type { Problem } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import { loadPolicy } from '../run/load-policy.ts';
import type { ControlWorld } from '../run/world.ts';
import { type NewScan, startScan } from '../scans/start-scan.ts';
import { whyNotPush } from './who-may-tick.ts';

/** A person wants everything looked at: one scan for each row (R2.3), and for what policy releases from the default branch and has no row yet. It writes nothing real. */
export async function rescanTick(world: ControlWorld, tick: Tick, sk: string, repository: Repository, login: string): Promise<Problem | undefined> {
  const refused = await whyNotPush(world, repository, login);
  if (refused) return refused;
  const commit = await world.codeHost.defaultTip(repository);
  if (commit === undefined) return { code: 'NOT_FOUND', message: `${repository.defaultBranch} is gone.` };
  const scan = { by: 'person', slot: sk, person: login } as const;
  for (const place of await placesOf(world, repository)) await startScan(world, { repository, ...place, commit, scan });
  await moveTick(world, tick, { state: 'done' });
  return undefined;
}

async function placesOf(world: ControlWorld, repository: Repository): Promise<readonly Pick<NewScan, 'plan' | 'environment'>[]> {
  const { plans } = await loadPolicy(world, repository);
  const rows = await readRows(world.table, repository.id);
  return plans.flatMap(({ name, path, events }) => {
    const shown = rows.filter(({ plan }) => plan === name).map(({ environment }) => environment);
    return [...new Set([...events.push, ...shown])].map((environment) => ({ plan: { name, path }, environment }));
  });
}
