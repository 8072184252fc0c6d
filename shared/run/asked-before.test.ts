import { describe, expect, it } from 'vitest';
import type { Side } from '../engine/value.ts';
import { movedLiterals } from './asked-before.ts';
import type { LineReport } from './report.ts';

const literal = (value: string): Side => ({ state: 'literal', value });
const line = (id: string, after: Side, path = 'value', key = 'thing:x'): LineReport => ({
  id,
  adapter: 'x',
  op: 'things',
  status: 'update',
  changes: [{ key, kind: 'update', label: key, fields: [{ path, before: { state: 'sensitive' }, after }] }],
  outputs: {},
});

describe('values in clear of two plans in a row', () => {
  it('are told with both where they moved', () => {
    const moved = { line: 'a', label: 'thing:x', path: 'value', before: literal('one'), after: literal('two') };
    expect(movedLiterals([line('a', literal('one'))], [line('a', literal('two'))])).toEqual([moved]);
  });

  it('are told where only one of them is in clear, and the other by what stands for it', () => {
    const secret: Side = { state: 'secret', ref: 'env://KEY' };
    expect(movedLiterals([line('a', literal('one'))], [line('a', secret)])).toMatchObject([{ before: literal('one'), after: secret }]);
    expect(movedLiterals([line('a', secret)], [line('a', literal('one'))])).toMatchObject([{ before: secret, after: literal('one') }]);
  });

  it.each<[string, LineReport]>([
    ['stayed', line('a', literal('one'))],
    ['stand in another line', line('b', literal('two'))],
    ['are of another resource', line('a', literal('two'), 'value', 'thing:y')],
    ['are another attribute', line('a', literal('two'), 'other')],
  ])('are not told where they %s', (_what, now) => expect(movedLiterals([line('a', literal('one'))], [now])).toEqual([]));

  it('are never told of what was sensitive in both', () => {
    expect(movedLiterals([line('a', { state: 'sensitive' })], [line('a', { state: 'sensitive', ref: 'b.url' })])).toEqual([]);
  });
});
