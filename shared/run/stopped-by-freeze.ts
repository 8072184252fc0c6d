import { frozen, frozenProblem } from '../freeze/frozen.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import type { ControlWorld } from './world.ts';

/**
 * Ends a run that nobody is asked about where its environment is frozen. One that has begun goes on, whatever is said meanwhile: half a
 * release is worse than a whole one. What removes a closed pull request's preview applies nothing, and is not stopped.
 */
export async function stoppedByFreeze(world: ControlWorld, run: Run): Promise<boolean> {
  if (run.round > 1) return false;
  const freeze = await frozen(world, run);
  if (!freeze) return false;
  const problem = frozenProblem(freeze, run);
  await closeEarly(world, run, 'failed', problem.message, problem);
  return true;
}
