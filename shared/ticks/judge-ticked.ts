import { canonicalJson } from '../approvals/canonical-json.ts';
import { amongApproved, type Effect } from '../approvals/effect.ts';
import { findEffects, type LineEffects, writingOf } from '../approvals/effects-document.ts';
import type { PlanDocument } from '../approvals/plan-document.ts';
import type { Problem } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Ticked } from './ticked.ts';

/** What a fresh plan says of what was ticked. `left`: that nothing of it, or not all of it, is left to do. */
export type TickedStands = { readonly moved: Problem } | { readonly left?: Problem };

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
  if (fresh.length === 0) return { left: { code: 'DRIFT_GONE', message: goneText } };
  const approved = new Map((await findEffects(world.objects, ticked.digest)).map(({ id, effects }) => [id, effects]));
  const others = fresh.filter(({ id, effects }) => !isAmong(effects, approved.get(id) ?? []));
  if (others.length > 0) return { moved: stale(ticked, others) };
  const left = [...approved].flatMap(([id, effects]) => leftOf(id, effects, fresh.find((line) => line.id === id)?.effects ?? []));
  return left.length === 0 ? {} : { left: leftOut(left, [...approved.values()].flat().length) };
}

const goneText = 'What was ticked had gone away before anything was written: there was nothing to do.';

/** Resources of a line that were ticked and that the run leaves, as whoever ticked may know them. */
function leftOf(id: string, approved: readonly Effect[], fresh: LineEffects[number]['effects']): string[] {
  // What waits for another line's output is named otherwise once that is known: then the number tells.
  if (approved.length === fresh.length) return [];
  const now = new Set(fresh.map(({ address }) => address));
  return approved.filter(({ address, waitsFor }) => !now.has(address) && waitsFor.length === 0).map(({ address }) => `${keyOf(address)} (line ${id})`);
}

const keyOf = (address: string): string => String((JSON.parse(address) as readonly unknown[])[2]);

function leftOut(left: readonly string[], all: number): Problem {
  const message = `Of the ${all} resources that were ticked ${left.length} ${left.length === 1 ? 'was' : 'were'} left as ${left.length === 1 ? 'it is' : 'they are'}: ${listed(left, 'and', 10)}. What is left went away by itself, or somebody has accepted it, or policy ignores it by now.`;
  return { code: 'DRIFT_GONE', message };
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
