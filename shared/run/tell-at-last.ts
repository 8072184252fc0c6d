import { watchedHost } from './host-away.ts';
import type { Run } from './items.ts';
import { publish } from './publish.ts';
import { readAsked } from './read-asked.ts';
import { saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Shows how a run has ended that ended while its host was silent; as long as it is, the sweep brings the run here again. */
export async function tellAtLast(world: ControlWorld, run: Run): Promise<void> {
  if (!run.untold) return;
  const watched = watchedHost(world);
  await publish(watched.world, run, await readAsked(world, run));
  if (!watched.wasSilent()) await saveRun(world, run, { ...(run.outcome ? { status: run.outcome } : {}) }, ['untold', 'since']);
}
