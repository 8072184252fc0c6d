/** What an apply asks of a stack's tool, by what was approved for its line. */
import type { Effect } from '../approvals/effect.ts';
import { sealedUnder } from '../secrets/seal.ts';
import { openerOf } from '../stacks/kept-object.ts';
import { entryOf } from './evidence.ts';
import { approvedChanges, savedIn } from './stack-effects.ts';
import { type Asked, lookOf, type StackInHand } from './stack-job.ts';
import type { ApplyingStack } from './stack-record.ts';

/** Whether what was approved can be run at all: not a stack that waited for other lines, whose plan nobody has seen. */
export const isApproved = (hand: StackInHand, approved: readonly Effect[]): boolean =>
  savedIn(approved) !== undefined || approvedChanges(hand.identity.key, approved).length > 0;

/** A round of this run, or an attempt, has applied exactly this plan: what is left of it is looked at anew, and is satisfied where nothing is (P7). */
export function isApplied({ ledger, hand }: ApplyingStack, approved: readonly Effect[]): boolean {
  const saved = savedIn(approved)?.sha256;
  return saved !== undefined && entryOf(ledger, hand.identity)?.stack?.applied === saved;
}

/** Only whether it can be opened: what it holds is hashed where it is run. Under another key of the stack's own nobody ever can. */
export async function savedIsThere({ world, line }: ApplyingStack): Promise<boolean> {
  const saved = line.spec.stack?.saved;
  if (saved === undefined || sealedUnder(saved.sealed) !== world.keys.sealing.id) return false;
  return (await world.objects?.get(saved.object)) !== undefined;
}

/** Exactly the saved plan, where one was approved; what was ticked, as far as it still is that; else whatever the plan says. */
export function askedOf(job: ApplyingStack): Asked {
  const { world, run, line, hand } = job;
  const { approved, stack } = line.spec;
  const saved = approved && savedIn(approved);
  const look = lookOf(run.options.ticked !== undefined);
  if (!approved) return { do: 'plan-and-apply', lock: true, ...look };
  const changes = approvedChanges(hand.identity.key, approved);
  if (!saved || !stack?.saved || isApplied(job, approved)) return { do: 'plan-and-apply', lock: true, ...look, approved: { changes } };
  const { sha256, lineage, serial } = saved;
  const state = lineage === undefined || serial === undefined ? {} : { state: { lineage, serial } };
  return { do: 'apply', lock: true, ...look, drift: false, approved: { plan: { ...openerOf(world.keys, stack.saved), sha256 }, ...state, changes } };
}
