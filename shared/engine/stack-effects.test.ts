import { expect, it } from 'vitest';
import { compareChanges } from '../stacks/compare-changes.ts';
import type { StackAction, StackChange, StackPlan } from '../stacks/tool-work.ts';
import { approvedChanges, stackChanges, stackEffects } from './stack-effects.ts';

const identity = { adapter: 'terraform', account: { repository: '1' }, key: 'infra' };

const planOf = (actions: readonly StackAction[], previousAddress?: string): StackPlan => {
  const change: StackChange = { address: 'thing.a', type: 'thing', actions, paths: ['name'], ...(previousAddress === undefined ? {} : { previousAddress }) };
  return { changes: [change], drift: [], outputs: {}, version: '1.11.4' };
};

const writing: readonly (readonly StackAction[])[] = [
  ['create'],
  ['update'],
  ['delete'],
  ['forget'],
  ['import'],
  ['import', 'update'],
  ['delete', 'create'],
  ['create', 'delete'],
  ['create', 'forget'],
  ['forget', 'create'],
  ['import', 'delete', 'create'],
  ['import', 'create', 'delete'],
  ['import', 'delete'],
  ['read', 'delete'],
];

it.each(writing.map((actions) => [actions.join(', '), actions] as const))(
  'what is approved of a change that does %s is that change, in its order, moved or not (R4.9, I7)',
  (_name, actions) => {
    for (const previousAddress of [undefined, 'thing.old']) {
      const plan = planOf(actions, previousAddress);
      expect(compareChanges(approvedChanges('infra', stackEffects(identity, plan).effects), plan.changes)).toEqual({ actions: [], values: [] });
    }
  },
);

it.each([
  ['read', 'delete'],
  ['import', 'delete'],
  ['import', 'delete', 'create'],
] as const)('what goes is asked about and shown, whatever takes its place: %s, %s', (...actions) => {
  const plan = planOf(actions.filter((one) => one !== undefined));
  expect(stackEffects(identity, plan).effects.find(({ address }) => address.includes('thing.a'))).toMatchObject({ action: 'replace' });
  expect(stackChanges('infra', plan)).toMatchObject([{ replaces: true }]);
});
