import { moveTick } from '../dashboard/move-tick.ts';
import type { Tick } from '../dashboard/tick.ts';
import type { Problem } from '../errors/error.ts';
import { firstFailure } from '../run/assemble.ts';
import type { Run } from '../run/items.ts';
import { readLinesOfRound, readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { sayOf } from './end-tick.ts';
import { lookAgain } from './look-again.ts';
import { readTickers } from './tickers.ts';

/**
 * What becomes of a tick whose run asks, or has ended. Its person is told of what did not come out as it was ticked; where it did, the row says
 * so. What the row shows is looked at anew where the run found it to be something else.
 */
export async function lookAfter(world: ControlWorld, tick: Tick): Promise<void> {
  const run = tick.started === undefined ? undefined : await readRun(world.table, tick.started);
  if (!run) return;
  if (run.phase === 'awaiting' && tick.state === 'working') return void (await moveTick(world, tick, { state: 'done', started: run.id }));
  if (run.phase !== 'done') return;
  const problem = await problemOfRun(world, run);
  const state = run.outcome === 'complete' || run.outcome === 'partial' ? 'done' : run.outcome === 'expired' ? 'expired' : 'refused';
  if (state !== 'done' && run.options.ticked) await lookAgain(world, run);
  if (tick.state === state && problem === undefined) return;
  await moveTick(world, tick, { state, started: run.id, ...(problem ? { say: sayOf(world, tick, problem) } : {}) });
}

/** What whoever ticked is told: why the run ended as it did, or else why the first of its lines that failed did, in the order of the plan. */
async function problemOfRun({ table }: Pick<ControlWorld, 'table'>, run: Run): Promise<Problem | undefined> {
  const { id, outcome, problem, warnings = [] } = run;
  if (outcome === 'complete') return warnings.find(({ code }) => code === 'DRIFT_GONE');
  if (outcome === 'partial') return undefined;
  if (problem) return problem;
  const more = `\`lockkeeper show ${id.slice(0, 12)}\` tells more.`;
  const failed = outcome === 'failed' ? firstFailure(await readLinesOfRound(table, run)) : undefined;
  if (failed) return { ...failed.problem, message: `Line ${failed.line}: ${failed.problem.message}` };
  return { code: 'INTERNAL', message: `Run ${id.slice(0, 12)} ended ${outcome ?? 'nowhere'}.`, hint: more };
}

/** Wakes each tick of a run that asks or has ended, whether it started the run or answered it: repeated it says the same. */
export async function wakeTickers(world: Pick<ControlWorld, 'table' | 'queues'>, run: Pick<Run, 'id' | 'repository' | 'options' | 'board'>): Promise<void> {
  if (run.options.ticked === undefined && !run.board) return;
  for (const { tick } of await readTickers(world.table, run)) await world.queues.control({ format: 5, look: 'dashboard', tick, group: run.repository.id });
}
