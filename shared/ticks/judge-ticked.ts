import { canonicalJson } from '../approvals/canonical-json.ts';
import { amongApproved, type Effect } from '../approvals/effect.ts';
import { findEffects, type LineEffects, writingOf } from '../approvals/effects-document.ts';
import type { PlanDocument } from '../approvals/plan-document.ts';
import type { Problem } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Ticked } from './ticked.ts';

/** What a fresh plan says of what was ticked. `gone`: nothing of it is left to do. */
export type TickedStands = 'stands' | 'gone' | { readonly moved: Problem };

/** Refusals that say that what was ticked is another thing by now. */
const moves: ReadonlySet<string> = new Set(['ADOPT_REQUIRED', 'OWNED_BY_OTHER_SCOPE', 'DRIFT_CHANGED']);

/**
 * Whether all that a run would do is among what was ticked. It is planned anew, and read from what is real, so that this says whether the tick
 * still means what it showed; each line asks once more, right before its first write (P7).
 *
 * @throws LockkeeperError PLAN_CORRUPT.
 */
export async function judgeTicked(world: Pick<ControlWorld, 'objects'>, ticked: Ticked, { lines }: Pick<PlanDocument, 'lines'>): Promise<TickedStands> {
  const fresh = writingOf(lines);
  if (fresh.length === 0) return 'gone';
  const approved = new Map((await findEffects(world.objects, ticked.digest)).map(({ id, effects }) => [id, effects]));
  const others = fresh.filter(({ id, effects }) => !isAmong(effects, approved.get(id) ?? []));
  return others.length === 0 ? 'stands' : { moved: stale(ticked, others) };
}

/** Why a refused line is no failure: what was ticked of it is what is refused now. Undefined: it is one. */
export function refusedSince({ options: { ticked } }: Pick<Run, 'options'>, lines: readonly RunLine[]): Problem | undefined {
  if (ticked === undefined) return undefined;
  const stopped = lines.flatMap(({ spec, result }) => (result?.status === 'blocked' || result?.status === 'error' ? [{ id: spec.id, result }] : []));
  const refused = stopped.filter(({ result: { problem } }) => problem !== undefined && moves.has(problem.code));
  const others = stopped.filter(({ result: { problem } }) => problem?.code !== 'DEPENDENCY_BLOCKED' && !refused.some((one) => one.result.problem === problem));
  return refused.length > 0 && others.length === 0 ? stale(ticked, refused) : undefined;
}

function stale({ digest, box }: Ticked, lines: readonly { readonly id: string }[]): Problem {
  const what = box === 'repair' ? 'What was edited outside' : 'What is pending';
  const message = `${what} is not what was ticked (${digest.slice(0, 12)}) any more: line${lines.length === 1 ? '' : 's'} ${listed(lines.map(({ id }) => id))}.`;
  return { code: 'TICK_STALE', message };
}

/** As a line asks before it writes; but what waits for another line's output is approved as exactly that. */
function isAmong(fresh: LineEffects[number]['effects'], approved: readonly Effect[]): boolean {
  const left = [...approved];
  return fresh.every((effect) => {
    const at = left.findIndex((one) => canonicalJson(one) === canonicalJson(effect) || amongApproved([effect], [one], new Map()));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}
