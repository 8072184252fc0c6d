import { expect, it } from 'vitest';
import type { Run, RunLine } from '../run/items.ts';
import { nothingToAccept } from './to-accept.ts';

it('refuses a person’s word about the edits of a stack, whose tool would put them back all the same, and says where to say it', () => {
  const run = { round: 1, options: { accept: 'net' } } as unknown as Run;
  const line = (spec: object) => ({ spec: { id: 'net', ...spec } }) as unknown as RunLine;
  expect(nothingToAccept({ run, line: line({ stack: {} }) })).toMatchObject({ code: 'NOTHING_TO_ACCEPT', hint: expect.stringContaining('drift.ignore') });
  expect(nothingToAccept({ run, line: line({}) })).toMatchObject({ message: 'Nothing of line net was edited outside.' });
  expect(nothingToAccept({ run: { ...run, round: 2 }, line: line({ stack: {} }) })).toBeUndefined();
});
