import { describe, expect, it } from 'vitest';
import type { ShownField } from '../engine/op.ts';
import { pathText } from './plan-text.ts';

const field = (before: ShownField['before'], after: ShownField['after']): ShownField => ({ path: 'value', before, after });

describe('an attribute of a stored plan', () => {
  it.each<[string, ShownField | undefined, string]>([
    ['was shown in clear on both sides', field({ state: 'literal', value: 'one' }, { state: 'literal', value: 'two' }), '"one" → "two"'],
    ['was shown in clear on one side', field({ state: 'sensitive' }, { state: 'literal', value: 'two' }), '(sensitive) → "two"'],
    ['is a secret', field({ state: 'sensitive' }, { state: 'secret', ref: 'env://KEY' }), 'changed'],
    ['is there for the first time', field({ state: 'absent' }, { state: 'sensitive', ref: 'db.url' }), '(none) → (sensitive ← db.url)'],
    ['was shown to nobody', undefined, 'changed'],
  ])('that %s', (_what, shown, text) => expect(pathText({}, shown)).toBe(text));

  it('that waits for an output says which', () => {
    expect(pathText({ waitsFor: 'db.url' }, undefined)).toBe('changed, to what db.url gives');
  });
});
