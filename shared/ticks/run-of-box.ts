import { createHash } from 'node:crypto';
import type { Tick } from '../dashboard/tick.ts';
import { runIdOf } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';
import { readRun } from '../run/run-store.ts';
import type { JobWorld } from '../run/world.ts';
import { readTickers } from './tickers.ts';

/** More of the same tick than anybody makes before the row shows something else. */
const mostAttempts = 100;

/** What starts a run of a box: everything that the box stands for, and how many runs of exactly that are over. */
const startOf = ({ repository, box, plan, environment, line, digest, run }: Tick, attempt: number): string =>
  `tick#${createHash('sha256')
    .update(JSON.stringify([repository, box, plan, environment, digest, run, attempt, ...(line === undefined ? [] : [line])]))
    .digest('hex')}`;

/** Where a box's run is, or is to be. */
export interface BoxRun {
  readonly start: string;
  readonly id: string;
  /** It is at work, or asks. */
  readonly open?: Run;
  /** The run that this tick has started or joined already. */
  readonly mine?: string;
}

/**
 * The run of a box: the one that is not over, whoever ticked, so that two people start one; else the next one. The run of a tick that was told
 * of before is that tick's for good, over or not.
 */
export async function runOfBox(world: Pick<JobWorld, 'table'>, tick: Tick, sk: string): Promise<BoxRun> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const start = startOf(tick, attempt);
    const id = runIdOf(start, { plan: { name: tick.plan }, environment: tick.environment });
    const run = await readRun(world.table, id);
    if (!run) return { start, id };
    const isMine = (await readTickers(world.table, run)).some((one) => one.tick === sk);
    if (run.phase !== 'done' || isMine) return { start, id, ...(run.phase === 'done' ? {} : { open: run }), ...(isMine ? { mine: id } : {}) };
  }
  throw new Error(`a box of ${tick.plan} in ${tick.environment} was ticked ${mostAttempts} times for the same`);
}
