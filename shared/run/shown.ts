import { maskProblem } from '../engine/line-call.ts';
import { problemOf } from '../errors/error.ts';
import { always } from '../table/condition.ts';
import { surfaceKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/** Ids of what a scope has shown at its host, so that it is updated in place: the item `SURFACE`. */
export interface Shown {
  readonly comment?: number;
  /** The run it was last shown for. */
  readonly check?: { readonly commit: string; readonly id: number; readonly run?: string };
  /** The run whose card in the chat is the scope's newest. */
  readonly card?: { readonly run: string };
  /** The comment on the pull request that brought a pushed commit, and the run whose question it tells. */
  readonly told?: { readonly pullRequest: number; readonly comment: number; readonly run: string };
}

export async function readShown(world: ControlWorld, run: Run): Promise<Shown> {
  return ((await world.table.get(surfaceKey(runScope(run)))) ?? {}) as Shown;
}

export async function saveShown(world: ControlWorld, run: Run, shown: Shown): Promise<void> {
  await write(world, surfaceKey(runScope(run)), { set: { ...shown } }, always);
}

/** A surface that cannot be written costs a line in the logs, never the run. */
export async function attempt(world: ControlWorld, run: Run, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (error) {
    const problem = problemOf(error);
    world.log.warn('a surface could not be written', { run: run.id, code: problem.code });
    await logEvent(world, run, 'surface failed', { problem: maskProblem(world, { code: 'SURFACE_FAILED', message: problem.message }) });
  }
}
