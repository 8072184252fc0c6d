import { readHead } from '../ledger/head.ts';
import type { Run } from './items.ts';
import { isRemoval } from './report.ts';
import { runScope } from './run-scope.ts';
import { readRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Of two runs in a scope, whether the first is the newer one. Both items say so for good: no two steps see it differently. */
export const isNewer = (one: Run, other: Run): boolean => (one.startedAt === other.startedAt ? one.id > other.id : one.startedAt > other.startedAt);

/**
 * Whether a newer run takes an older one's place. A removal that somebody asked for may be rejected: before it is let go it ends no release,
 * only an older question about the same. What was answered first moves the state under the other, which asks again. So does what a tick started:
 * it is a part of the release, and ends only an older run of the same box.
 */
export function canReplace(newer: Run, older: Run): boolean {
  const { ticked } = newer.options;
  if (ticked) return older.options.ticked?.box === ticked.box;
  return !isRemoval(newer.kind) || newer.intent === 'follow' || newer.kind === older.kind;
}

/** The runs that are open in a run's scope beside it: those that hold a question, wait for an event, or work under a decision. */
export async function othersOf(world: ControlWorld, run: Run, openRuns: readonly string[]): Promise<Run[]> {
  const others = await Promise.all(openRuns.filter((id) => id !== run.id).map((id) => readRun(world.table, id)));
  return others.flatMap((other) => (other && other.phase !== 'done' ? [other] : []));
}

/** A run in the same scope that began later, is open there, and takes this one's place. */
export async function newerOpenRun(world: ControlWorld, run: Run): Promise<Run | undefined> {
  const head = await readHead(world.table, runScope(run));
  return (await othersOf(world, run, head?.openRuns ?? [])).find((other) => isNewer(other, run) && canReplace(other, run));
}

/** The newest of the older runs in the scope whose question is open: the one that this run's is going to take the place of. */
export async function olderAsking(world: ControlWorld, run: Run): Promise<Run | undefined> {
  const head = await readHead(world.table, runScope(run));
  const asking = (await othersOf(world, run, head?.openRuns ?? [])).filter(
    (other) => other.phase === 'awaiting' && isNewer(run, other) && canReplace(run, other),
  );
  return asking.reduce<Run | undefined>((newest, other) => (newest && isNewer(newest, other) ? newest : other), undefined);
}
