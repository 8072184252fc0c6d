import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumed, assumptionsIn } from './assumptions-page.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the assumptions of the fake cloud (R1.9)', () => {
  it('are told by every fake of a provider', () => {
    const fakes = globSync('test/sim/*/routes.ts', { cwd: root }).sort();
    expect(assumed().map(({ file }) => file)).toEqual(fakes);
    expect(assumed().filter(({ assumptions, about }) => assumptions.length < 5 || !about.includes('verified: against'))).toEqual([]);
  });

  it('are numbered from one without a gap, each provider under a letter of its own, and each is marked', () => {
    const letters = assumed().map(({ assumptions }) => {
      const letter = assumptions[0]?.id[0] ?? '';
      expect(assumptions.map(({ id }) => id)).toEqual(assumptions.map((_, at) => `${letter}${at + 1}`));
      return letter;
    });
    expect(new Set(letters).size).toBe(letters.length);
  });

  it.each([
    ['So it is. Verified.', 'yes'],
    ['So it is. Not verified.', 'no'],
    ['So it is. Shape verified, limit not.', 'in part'],
    ['So it is. Verified; the status (422) is not.', 'in part'],
    ['It is so. Verified. And so. Not verified.', 'in part'],
  ])('%s is read as %s', (text, verified) => {
    expect(assumptionsIn('f', `/**\n * A fake:\n *\n * - X1  ${text}\n */`).assumptions).toEqual([{ id: 'X1', text, verified }]);
  });

  it('stop the page where one does not say', () => {
    expect(() => assumptionsIn('f', '/**\n * A fake:\n *\n * - X1  So it is.\n */')).toThrow('f: X1 does not say whether it is verified');
  });
});
