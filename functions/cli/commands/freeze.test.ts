import { expect, it } from 'vitest';
import type { Freeze } from '../../../shared/freeze/freeze.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import { lineOf, reportOf } from '../../../test/reports/report.ts';
import { type Frozen, freezeAnswer } from './freeze.ts';

const screen = { paint: painter(false), colour: false, width: 400 };
const made: Freeze = { environment: 'production', reason: 'year end', until: '2026-12-31T00:00:00.000Z', by: 'kim' };
const said = (frozen: Frozen, typed: object = {}) =>
  freezeAnswer('production', frozen, { sim: false, local: false, stateDir: '.lockkeeper', ...typed }).text(screen);

it('a freeze says for whom it holds, what it takes the place of, and what takes it back', () => {
  const here = said({ made, before: { ...made, reason: 'a move', by: 'ada' } }, { sim: true });
  expect(here).toContain('It holds for the simulation of this folder alone');
  expect(here).toContain('It takes the place of what was said before: production is frozen until 2026-12-31 00:00 UTC by ada: a move.');
  expect(here).toContain('`lockkeeper unfreeze production --sim` takes it back.');
  const deployed = said({ made, before: undefined }, { stack: 'Lockkeeper' });
  expect(deployed).not.toMatch(/this folder|takes the place/);
  expect(deployed).toContain('`lockkeeper unfreeze production --stack Lockkeeper`');
});

it('whoever thaws is told what came of what went on, and whether anything was frozen', () => {
  const went = [reportOf({ kind: 'destroy', lines: [lineOf('db', { status: 'destroyed', notes: { destroyed: 'Neon branch live' } })] })];
  expect(said({ made: undefined, before: made, went })).toBe(
    'production is not frozen any more.\nRun 5d41402abc4b: 1 line removed. `lockkeeper receipt 5d41402abc4b` shows it.\n',
  );
  expect(said({ made: undefined, before: undefined })).toBe('production was not frozen: nothing is changed.\n');
});
