import { LockkeeperError } from '../errors/error.ts';
import { type Entry, isDeed, isOrphan } from '../ledger/entry.ts';
import { createRun, type NewRun } from './create-run.ts';
import type { Run, RunOptions } from './items.ts';
import type { JobWorld } from './world.ts';

/**
 * The run that removes what another one created, and nothing else: from the ledger alone, under the lease, without a tombstone. What that one
 * adopted stays, what it changed stays changed, what a person did and what was sent stand. In a protected environment people are asked first.
 *
 * @throws LockkeeperError RUN_NOT_OVER while that run is not over; USAGE for one that creates nothing.
 */
export function runThatUndoes(run: Run, busy: RunOptions['busy'] = 'wait'): NewRun {
  const short = run.id.slice(0, 12);
  if (run.phase !== 'done') {
    const message = `Run ${short} is not over (${run.phase === 'waiting' ? 'it waits for an event' : run.phase}): nothing of it is undone while it may go on.`;
    throw new LockkeeperError({ code: 'RUN_NOT_OVER', message, hint: `Stop it first: \`lockkeeper cancel ${short}\`.` });
  }
  if (run.kind !== 'apply') {
    const message = `Run ${short} is a ${run.kind ?? run.intent}: it created nothing.`;
    throw new LockkeeperError({ code: 'USAGE', message, hint: 'Name the run that applied; `lockkeeper runs` lists the latest.' });
  }
  const { repository, plan, environment, scope, commit, branch, pullRequest } = run;
  const { name, path } = plan;
  const options = { busy, confirmed: true, undo: run.id } as const;
  const where = { repository, plan: { name, path }, environment, scope, commit, branch, ...(pullRequest === undefined ? {} : { pullRequest }) };
  return { intent: 'prune', ...where, options };
}

/**
 * Makes that run, and queues it.
 *
 * @param start what asked for it: a command's or an intake's id, so that the same word starts one run. @param triggeredBy GitHub login of whoever asks.
 * @returns its id. @throws LockkeeperError RUN_NOT_OVER, USAGE.
 */
export async function undoRun(
  world: Pick<JobWorld, 'table' | 'ids' | 'queues' | 'clock'>,
  run: Run,
  {
    start = world.ids.fresh(),
    busy,
    triggeredBy,
  }: { readonly start?: string; readonly busy?: RunOptions['busy']; readonly triggeredBy?: string | undefined } = {},
): Promise<string> {
  return createRun(world, start, { ...runThatUndoes(run, busy), ...(triggeredBy === undefined ? {} : { triggeredBy }) });
}

/**
 * Which entries a prune takes: orphans, or what the run that it undoes created. What stands in the place of something that that run deleted
 * because a person said so is no creation of its own: taking it away would leave less than there was before.
 */
export function prunes({ options: { undo } }: Pick<Run, 'options'>): (entry: Entry) => boolean {
  if (undo === undefined) return isOrphan;
  return (entry) => entry.run === undo && entry.createdBy !== 'adopted' && entry.replaces?.run !== undo && !isDeed(entry);
}
