import { LockkeeperError } from '../errors/error.ts';
import type { Run } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';
import { startScan } from '../scans/start-scan.ts';

/**
 * Has a row looked at anew, because what its box stood for is not what a run found: once for each run. At the tip as it is now, or, where the
 * host says nothing, at the run's own commit.
 */
export async function lookAgain(world: ControlWorld, { id, repository, plan, environment, commit, options }: Run): Promise<void> {
  const person = options.ticked?.by;
  const scan = { by: 'person', slot: id, ...(person === undefined ? {} : { person }) } as const;
  await startScan(world, { repository, plan: { name: plan.name, path: plan.path }, environment, commit: (await tipOf(world, repository)) ?? commit, scan });
}

async function tipOf(world: ControlWorld, repository: Run['repository']): Promise<string | undefined> {
  try {
    return await world.codeHost.defaultTip(repository);
  } catch (error) {
    if (error instanceof LockkeeperError) return undefined;
    throw error;
  }
}
