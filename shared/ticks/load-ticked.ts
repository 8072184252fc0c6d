import type { Effect } from '../approvals/effect.ts';
import { findEffects, type LineEffects } from '../approvals/effects-document.ts';
import { LockkeeperError } from '../errors/error.ts';
import { withNeeds } from '../plan/with-needs.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { type LoadedPlan, loadOrEnd } from '../run/load-plan.ts';
import type { ControlWorld } from '../run/world.ts';

/** A plan cut down to what was ticked, with what that is by line. */
export interface TickedPlan {
  readonly loaded: LoadedPlan;
  readonly effects: LineEffects;
}

/**
 * The plan file of a run that a tick started: the lines of which something was ticked, and those whose outputs these need. The others are not
 * even looked at. Undefined: what was ticked, or the plan, cannot be read, and the run has ended.
 */
export async function loadTicked(world: ControlWorld, run: Run): Promise<TickedPlan | undefined> {
  const loaded = await loadOrEnd(world, run);
  if (!loaded) return undefined;
  try {
    const effects = await findEffects(world.objects, run.options.ticked?.digest ?? '');
    return {
      loaded: {
        ...loaded,
        lines: withNeeds(
          loaded.lines,
          effects.map(({ id }) => id),
        ),
      },
      effects,
    };
  } catch (error) {
    if (!(error instanceof LockkeeperError) || error.code !== 'PLAN_CORRUPT') throw error;
    await closeEarly(world, run, 'failed', error.message, error.problem);
    return undefined;
  }
}

/** What was ticked of each line, for its job: of one that is only looked at, nothing. */
export const tickedByLine = (effects: LineEffects): ReadonlyMap<string, readonly Effect[]> => new Map(effects.map((line) => [line.id, line.effects]));
