import { describe, expect, test } from 'vitest';
import type { DriftItem, LineReport } from '../run/report.ts';
import { intoPlan } from './into-plan.ts';
import { type Absorbed, absorbable } from './wanted.ts';

const file = `version: 1
changes:
  # The database
  - id: db
    adapter: neon
    op: branch   # one for each pull request
    name: feat
    parent: "main"
  - { id: site, adapter: vercel, op: env, key: GREETING, value: hello, targets: [preview] }
  - id: note
    adapter: http_api
    op: resource
    body:
      text: |
        two
        lines
      size: 3
      on: true
`;
const edit = (path: string, from: Absorbed['from'], to: Absorbed['to']): Absorbed => ({ label: 'it', path, from, to });
const written = (line: string, ...edits: Absorbed[]): string => intoPlan(Buffer.from(file), line, edits).toString('utf8');

describe('what is live is written into the plan file', () => {
  test('in the place of the one value, and no other byte changes', () => {
    expect(written('db', edit('parent', 'main', 'release'))).toBe(file.replace('"main"', '"release"'));
    expect(written('site', edit('value', 'hello', 'hello, you'))).toBe(file.replace('value: hello,', 'value: "hello, you",'));
    expect(written('site', edit('value', 'hello', 'moin'))).toBe(file.replace('value: hello', 'value: moin'));
    expect(written('note', edit('body.size', 3, 40), edit('body.on', true, false))).toBe(file.replace('size: 3', 'size: 40').replace('on: true', 'on: false'));
  });

  test('also where the provider calls the attribute otherwise: it is the only value of the line that the plan wanted', () => {
    expect(written('db', edit('parent_name', 'main', 'release'))).toBe(file.replace('"main"', '"release"'));
    expect(written('note', edit('text', 'two\nlines\n', 'one: line'))).toBe(file.replace('|\n        two\n        lines\n', '"one: line"\n'));
  });

  test('as a text that YAML reads back as that text', () => {
    expect(written('site', edit('value', 'hello', 'yes'))).toContain('value: "yes",');
    expect(written('site', edit('value', 'hello', '12'))).toContain('value: "12",');
  });

  test.each([
    ['is made of something else', edit('parent', 'elsewhere', 'release'), 'db'],
    ['read as a placeholder', edit('parent', 'main', 'a ${ctx.branch}'), 'db'],
    ['does not have it', edit('parent', 'main', 'release'), 'gone'],
  ])('or it says what to do: %s', (why, one, line) => {
    expect(() => written(line, one)).toThrow(expect.objectContaining({ code: 'CANNOT_ABSORB', message: expect.stringContaining(why) }));
  });

  test('and never where a value stands twice, or for several places', () => {
    const twice = Buffer.from('changes: [{ id: a, adapter: x, op: y, one: v, two: v }]');
    expect(() => intoPlan(twice, 'a', [edit('value', 'v', 'w')])).toThrow(/may be any of one, two/);
    const named = Buffer.from('changes: [{ id: a, adapter: x, op: y, one: &it v }, { id: b, adapter: x, op: y, one: *it }]');
    expect(() => intoPlan(named, 'a', [edit('one', 'v', 'w')])).toThrow(/several places/);
    expect(() => intoPlan(named, 'b', [edit('one', 'v', 'w')])).toThrow(/something else than a value/);
  });
});

describe('what can be made the plan', () => {
  const drift = (kind: DriftItem['kind']): DriftItem => ({
    kind,
    adapter: 'a',
    op: 'o',
    line: 'db',
    resource: { key: 'k', label: 'branch feat' },
    message: '',
  });
  const changed = (before: object, after: object): Pick<LineReport, 'adapter' | 'op' | 'changes'> => ({
    adapter: 'a',
    op: 'o',
    changes: [{ key: 'k', label: 'branch feat', kind: 'update', fields: [{ path: 'parent', before, after } as never] }],
  });
  const literal = (value: string) => ({ state: 'literal', value });

  test('is what both sides may show', () => {
    expect(absorbable('db', changed(literal('live'), literal('plan')), [drift('changed')])).toEqual({
      absorbed: [{ label: 'branch feat', path: 'parent', from: 'plan', to: 'live' }],
      left: [],
    });
  });

  test.each([
    ['may not be shown', changed({ state: 'sensitive' }, literal('plan')), 'changed'],
    ['comes from aws-sm://id', changed(literal('live'), { state: 'secret', ref: 'aws-sm://id' }), 'changed'],
    ['comes from db.id', changed(literal('live'), { state: 'sensitive', ref: 'db.id' }), 'changed'],
    ['says nothing of', changed(literal('live'), { state: 'absent' }), 'changed'],
    ['is gone', changed({ state: 'absent' }, literal('plan')), 'missing'],
  ] as const)('and nothing else: %s', (why, line, kind) => {
    expect(() => absorbable('db', line, [drift(kind)])).toThrow(expect.objectContaining({ code: 'CANNOT_ABSORB', message: expect.stringContaining(why) }));
  });

  test('without an edit there is nothing', () => {
    expect(() => absorbable('db', changed(literal('a'), literal('b')), [])).toThrow(expect.objectContaining({ code: 'NOTHING_TO_ABSORB' }));
  });
});
