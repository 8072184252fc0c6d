import type { Run } from './items.ts';
import type { RunKind } from './report.ts';
import { saveOrAgain } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Writes down what a run turned out to be, before any item of it is put. A run that was something else a step ago (its pull
 * request closed, or was opened again) gets a round of its own: items of both kinds in one round would wait for each other.
 *
 * @throws Again when the run moved on meanwhile.
 */
export async function becomes(world: JobWorld, run: Run, kind: RunKind, tookOver: string | undefined): Promise<Run> {
  const taken = tookOver === undefined ? {} : { tookOver };
  if (run.kind === kind && tookOver === undefined) return run;
  const turned = run.kind !== undefined && run.kind !== kind;
  return saveOrAgain(world, run, { kind, ...taken, ...(turned ? { round: run.round + 1 } : {}) }, turned ? ['cursor'] : []);
}
