import { expect, it } from 'vitest';
import { cancelledHint } from './cancelled-hint.ts';

const run = { id: '5d41402abc4b2a76b9719d911017c592', kind: 'apply' } as const;

it.each([
  ['had written nothing', run, ['skipped', 'create'], [], 'Nothing had been written by then; `lockkeeper retry 5d41402abc4b` runs it again.'],
  ['had applied a line', run, ['applied', 'skipped'], [], 'What it had applied stays; `lockkeeper undo 5d41402abc4b` removes what it created.'],
  ['had applied one in an earlier round', run, [], ['db'], 'What it had applied stays; `lockkeeper undo 5d41402abc4b` removes what it created.'],
  ['had removed some', { ...run, kind: 'destroy' }, ['destroyed'], [], 'What it had removed is gone; `lockkeeper retry 5d41402abc4b` removes the rest.'],
] as const)('of a run that was stopped when it %s that is what is said', (_what, stopped, statuses, stays, hint) => {
  expect(
    cancelledHint(
      stopped,
      statuses.map((status) => ({ status })),
      stays,
    ),
  ).toBe(hint);
});
