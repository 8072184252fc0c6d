import { all, lacks, present } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { LineResult, Run } from './items.ts';
import type { JobWorld } from './world.ts';

/** A failure or refusal stops an apply: no new line starts, running ones finish, then what the run created is undone (R1.50). */
const stopsTheRun = (run: Run, result: LineResult): boolean =>
  run.phase === 'applying' && run.kind === 'apply' && (result.status === 'failed' || result.status === 'blocked');

/** Stops the run when a line's result says so. Repeated by whoever finds the line finished: a death may have cut it off. */
export async function stopIfFailed(world: JobWorld, run: Run, line: string, result: LineResult): Promise<void> {
  if (run.stopping || !stopsTheRun(run, result)) return;
  const stopping = { cause: 'failed', round: run.round, ...(result.problem ? { problem: result.problem } : {}) };
  await write(world, runKey(run.id), { set: { stopping } }, all(present, lacks('stopping')));
  world.log.warn('line stops its run', { run: run.id, line, code: result.problem?.code });
}
