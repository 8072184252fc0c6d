import { compare } from '../../secrets/fingerprint.ts';
import type { StackChange } from '../tool-work.ts';
import { rootType } from './change.ts';
import type { PulumiStep } from './event.ts';
import { folded } from './fold.ts';
import { cameTrue } from './state.ts';

/**
 * Where a fresh preview is not the approved one, by address: another action, another order, another value before or after. What cannot be
 * compared, since its key was changed meanwhile, differs. A secret is `[secret]` on both sides: that it moved, the saved plan notices.
 */
export function movedBetween(approved: readonly StackChange[], fresh: readonly StackChange[]): string[] {
  const [was, is] = [byAddress(approved), byAddress(fresh)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((address) => !isSame(was.get(address), is.get(address)));
}

/** Of two with one address, the first counts (R4.9). */
function byAddress(changes: readonly StackChange[]): Map<string, StackChange> {
  const map = new Map<string, StackChange>();
  for (const change of changes) if (!map.has(change.address)) map.set(change.address, change);
  return map;
}

function isSame(one: StackChange | undefined, other: StackChange | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return (
    one.actions.join() === other.actions.join() &&
    one.previousAddress === other.previousAddress &&
    isSameMark(one.before, other.before) &&
    isSameMark(one.after, other.after)
  );
}

const isSameMark = (one: StackChange['before'], other: StackChange['before']): boolean =>
  one === undefined || other === undefined ? one === other : compare(one, other) === 'same';

/**
 * Where an update did something else than its preview foretold, by address. Values that nobody could know before come true whatever they are.
 * What it did not come to is no difference: it is not done.
 */
export function differsFrom(foretold: readonly PulumiStep[], done: readonly PulumiStep[]): string[] {
  const expected = new Map(folded(foretold).map((one) => [one.address, one]));
  return folded(done)
    .filter(({ step, actions }) => step.type !== rootType && actions.some((action) => action !== 'none' && action !== 'read'))
    .filter(({ address, actions, step }) => {
      const one = expected.get(address);
      return one === undefined || one.actions.join() !== actions.join() || !cameTrue(one.step.now?.inputs, step.now?.inputs);
    })
    .map(({ address }) => address);
}
