import type { Run } from '../run/items.ts';
import type { JobWorld } from '../run/world.ts';
import { startScan } from '../scans/start-scan.ts';

/** Has a row looked at anew, because what its box stood for is not what a run found: once for each run. */
export async function lookAgain(world: JobWorld, { id, repository, plan, environment, commit, options }: Run): Promise<void> {
  const person = options.ticked?.by;
  const scan = { by: 'person', slot: id, ...(person === undefined ? {} : { person }) } as const;
  await startScan(world, { repository, plan: { name: plan.name, path: plan.path }, environment, commit, scan });
}
