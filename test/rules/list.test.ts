import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uncited } from './list.ts';

const rules = '## A\n\n| # | Rule |\n|---|---|\n| 80.1 | one, as 80.2 says |\n| 80.2 | two |\n| 80.11 | eleven |\n';

describe('the list of rules that nothing shows', () => {
  it('names them in their order', () => {
    expect(uncited(rules, [])).toEqual(['R80.1', 'R80.2', 'R80.11']);
  });

  it('leaves out what a test or a decision cites, and takes no number for a part of another', () => {
    expect(uncited(rules, ['it refuses (R80.11)', 'see R80.2, and XR80.1'])).toEqual(['R80.1']);
  });

  it('knows every row of the rules we carry, each number once', () => {
    const numbers = uncited(readFileSync(join(import.meta.dirname, '..', '..', 'docs/rules.md'), 'utf8'), []);
    expect(numbers).toHaveLength(230);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
