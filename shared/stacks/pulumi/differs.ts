import { rootType } from './change.ts';
import type { PulumiStep } from './event.ts';
import { folded } from './fold.ts';
import { cameTrue } from './state.ts';

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
