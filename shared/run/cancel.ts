import type { Person } from '../approvals/decision.ts';
import { LockkeeperError } from '../errors/error.ts';
import { all, any, equal, lacks, present } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Phase, Run, Stopping } from './items.ts';
import { queueStep } from './phase.ts';
import { logEvent } from './run-log.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** Where there is something left to stop. What is undone and settled is the run's end, and is not cut short (P1). */
const stoppable: readonly Phase[] = ['preparing', 'planning', 'awaiting', 'guarding', 'applying', 'waiting'];

/**
 * Stops a run before its next write, for good: no line starts any more, and those that are at work finish. Nothing of what is applied is
 * taken away: that is `undo`, and somebody else's word (ADR 0055). A run that is already on its way to its end goes there as it is.
 *
 *     stopping ──▶ crash here: the sweep wakes the run, or the command comes again and finds the stop written
 *     wake     ──▶ lost: the same
 *
 * @returns `ending`: it is being undone or settled, and nothing of it was stopped.
 * @throws LockkeeperError RUN_OVER when it has ended otherwise: nothing of it is left to stop.
 */
export async function cancelRun(world: JobWorld, run: Pick<Run, 'id' | 'repository' | 'round'>, by: Pick<Person, 'name'>): Promise<'stopped' | 'ending'> {
  const stopping: Stopping = { cause: 'cancelled', round: run.round, problem: { code: 'CANCELLED', message: `${by.name} cancelled it.` } };
  const inTime = all(present, lacks('stopping'), any(...stoppable.map((phase) => equal('phase', phase))));
  // A new version: no step that is at work on it now takes it past its stop. Due from now on: one that waits for an event has no time of its own.
  const since = new Date(world.clock.now()).toISOString();
  const stopped = await write(world, runKey(run.id), (writeId) => ({ set: { stopping, since, version: writeId } }), inTime);
  if (stopped.won) await logEvent(world, run, 'cancelled', { detail: `by ${by.name}` });
  const now = stopped.won ? undefined : await readRun(world.table, run.id);
  if (now?.phase === 'done' && !isCancelled(now)) throw runOver(now);
  await queueStep(world, run);
  return now && !isCancelled(now) ? 'ending' : 'stopped';
}

/** A run that was stopped by a person. */
export const isCancelled = ({ stopping }: Pick<Run, 'stopping'>): boolean => stopping?.cause === 'cancelled';

/** The environments in which somebody must have a say to stop a run. */
export const environmentsAsked = ({ environment, protects = [] }: Pick<Run, 'environment' | 'protects'>): readonly string[] => [
  ...new Set([environment, ...protects]),
];

function runOver({ id, outcome }: Run): LockkeeperError {
  const message = `Run ${id.slice(0, 12)} is over (${outcome ?? 'done'}): there is nothing left to stop.`;
  return new LockkeeperError({ code: 'RUN_OVER', message, hint: `\`lockkeeper undo ${id.slice(0, 12)}\` removes what it created.` });
}
