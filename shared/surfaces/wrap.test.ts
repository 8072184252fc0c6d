import { expect, it } from 'vitest';
import { painter } from './paint.ts';
import { fitted } from './wrap.ts';

it('breaks no word, however narrow the screen, and sets what follows in below its row', () => {
  expect(fitted('  error PLAN_MISSING There is no plan.\nshort', 20)).toBe('  error PLAN_MISSING\n    There is no\n    plan.\nshort');
  expect(fitted('x'.repeat(40), 20)).toBe('x'.repeat(40));
});

it('breaks no command, which is typed as it stands; a backtick that nothing closes begins none', () => {
  expect(fitted('Type `lockkeeper plan --sim` or nothing.', 14)).toBe('Type\n  `lockkeeper plan --sim`\n  or nothing.');
  expect(fitted('    lockkeeper plan --sim', 14)).toBe('    lockkeeper plan --sim');
  expect(fitted('a ` b c', 3)).toBe('a `\n  b\n  c');
});

it('does not count colours', () => {
  const text = `${painter(true)('bad', 'error')} PLAN_MISSING`;
  expect(fitted(text, 18)).toBe(text);
});

it('leaves everything as it is where there is no screen', () => {
  const text = 'word '.repeat(100);
  expect(fitted(text)).toBe(text);
});
