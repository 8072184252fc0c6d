import { createHash } from 'node:crypto';
import { absent } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { runLifetime } from './run-log.ts';
import type { JobWorld } from './world.ts';

/** What starts a run. */
export type NewRun = Pick<Run, 'intent' | 'repository' | 'plan' | 'environment' | 'scope' | 'commit' | 'branch' | 'options'> & {
  readonly pullRequest?: number;
  readonly triggeredBy?: string;
  readonly retryOf?: string;
};

/** A run's id: a hash of what started it, so that the same event never starts two (P6). */
export const runIdOf = (start: string, { plan, environment }: { readonly plan: { readonly name: string }; readonly environment: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([start, plan.name, environment]))
    .digest('hex')
    .slice(0, 32);

/**
 * Records a run, create-only, and queues its first step. A run that is already there is queued again: the step does what is due.
 *
 * @param start what started it: an intake's id, or a fresh id for a person's command.
 */
export async function createRun(world: Pick<JobWorld, 'table' | 'ids' | 'queues' | 'clock'>, start: string, run: NewRun): Promise<string> {
  const id = runIdOf(start, run);
  const now = world.clock.now();
  const startedAt = new Date(now).toISOString();
  const due = { status: 'open', since: startedAt };
  // Scans have a list of their own: there are many, and nobody is to look for a release among them.
  const listed = { repo: run.repository.id, order: `${run.intent === 'drift' ? 'scan' : 'run'}#${startedAt}` };
  const format = formatOf(run);
  const fixed = { ...run, item: 'run', format, id, phase: 'preparing', round: 1, startedAt, ttl: Math.floor(now / 1000) + runLifetime };
  await write(world, runKey(id), (writeId) => ({ put: { ...fixed, ...due, ...listed, version: writeId } }), absent);
  await queueStep(world, { id, repository: run.repository });
  return id;
}

const formatOf = ({ intent, options }: NewRun): number =>
  intent === 'drift' || options.ticked ? 4 : options.afterMerge || options.undo !== undefined ? 3 : intent === 'prune' || intent === 'recover' ? 2 : 1;
