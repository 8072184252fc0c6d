import { describe, expect, test } from 'vitest';
import { compareChanges } from '../stacks/compare-changes.ts';
import type { StackAction, StackPlan } from '../stacks/tool-work.ts';
import { approvedChanges, stackChanges, stackEffects } from './stack-effects.ts';

const identity = { adapter: 'terraform', account: { repository: '1' }, key: 'infra' };

function planOf(actions: readonly StackAction[], previousAddress?: string): StackPlan {
  const change = { address: 'thing.a', type: 'thing', actions, paths: ['p'], ...(previousAddress === undefined ? {} : { previousAddress }) };
  return { changes: [change], drift: [], outputs: {}, version: '1.11.4' };
}

const told = ['create', 'update', 'delete', 'forget', 'delete,create', 'create,delete', 'create,forget', 'forget,create', 'none'];
const lists = [...told, 'import', ...told.slice(1).map((one) => `import,${one}`), 'read,delete', 'delete,read', 'import,delete'];
const everyList = [...new Set(lists.filter((one) => one !== 'import,none'))].map((one) => [one.split(',') as StackAction[]] as const);

describe('what is asked about says all of what is done', () => {
  test.each(everyList)('%j comes back from its effect as it was planned (R4.9)', (actions) => {
    for (const previous of [undefined, 'thing.old']) {
      if (actions[0] === 'none' && previous === undefined) continue;
      const plan = planOf(actions, previous);
      const back = approvedChanges(identity.key, stackEffects(identity, plan).effects);
      expect(compareChanges(back, plan.changes)).toEqual({ actions: [], values: [] });
    }
  });

  test('an old resource that is only forgotten is not one that is deleted', () => {
    const [approved, fresh] = [planOf(['create', 'forget']), planOf(['create', 'delete'])];
    const back = approvedChanges(identity.key, stackEffects(identity, approved).effects);
    expect(compareChanges(back, fresh.changes).actions).toEqual(['thing.a']);
  });

  test.each([[['read', 'delete']], [['import', 'delete']], [['delete', 'import']]] as const)(
    'a deletion is shown and asked about, whatever takes the place of what goes: %j',
    (actions) => {
      const plan = planOf(actions);
      expect(stackEffects(identity, plan).effects).toContainEqual(expect.objectContaining({ action: 'replace', does: actions }));
      expect(stackChanges(identity.key, plan)).toMatchObject([{ replaces: true }]);
    },
  );
});
