import { isUnreadable, problemOf } from '../errors/error.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import { readRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Ends a run with the code where it turns out, before any line of it is at work, that nobody can say what its scope manages. */
export async function orEndUnreadable(world: ControlWorld, run: Run, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const problem = problemOf(error);
    const now = isUnreadable(problem.code) ? await readRun(world.table, run.id) : undefined;
    if (now?.phase !== run.phase) throw error;
    await closeEarly(world, now, 'failed', problem.message, problem);
  }
}
