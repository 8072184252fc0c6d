import { describe, expect, test } from 'vitest';
import { differences, movedValues } from './differences.ts';
import type { Effect } from './effect.ts';
import type { PlanDocument } from './plan-document.ts';

const effect = (key: string, more: Partial<Effect> = {}): Effect => ({
  address: JSON.stringify(['example', [['place', 'here']], key]),
  action: 'create',
  paths: [{ path: 'value' }],
  waitsFor: [],
  ...more,
});

const plan = (lines: Record<string, readonly Effect[]>): PlanDocument => ({
  format: 1,
  repository: 'r',
  plan: { name: 'main', path: 'p', hash: 'h' },
  environment: 'production',
  scope: 'main',
  commit: 'c',
  state: [],
  lines: Object.entries(lines).map(([id, effects]) => ({ id, adapter: 'example', op: 'things', effects })),
});

const mac = (text: string) => ({ key: 'k', mac: text });

describe('two plans', () => {
  test('that would do the same differ in nothing', () => {
    const lines = { a: [effect('x', { after: mac('1') }), effect('{b.url}', { waitsFor: ['b.url'] })], b: [effect('y')] };
    expect(differences(plan(lines), plan(lines))).toEqual([]);
  });

  test('differ in what only one of them would touch', () => {
    expect(differences(plan({ a: [effect('x')], b: [effect('y')] }), plan({ a: [effect('x'), effect('z')], b: [] }))).toEqual([
      { line: 'a', resource: 'z', what: 'new' },
      { line: 'b', resource: 'y', what: 'gone' },
    ]);
  });

  test.each<[string, Partial<Effect>, Partial<Effect>]>([
    ['another action', {}, { action: 'update' }],
    ['a replacement, which deletes first', { action: 'create' }, { action: 'replace' }],
    ['only a look', { action: 'update' }, { action: 'read' }],
  ])('differ in a resource to which the later one would do %s (R4.9)', (_, before, after) => {
    expect(differences(plan({ a: [effect('x', before)] }), plan({ a: [effect('x', after)] }))).toEqual([{ line: 'a', resource: 'x', what: 'changed' }]);
    expect(movedValues(plan({ a: [effect('x', before)] }), plan({ a: [effect('x', after)] }))).toEqual([]);
  });

  test.each<[string, Partial<Effect>, Partial<Effect>, readonly string[]]>([
    ['another new value', { paths: [{ path: 'value', after: mac('1') }] }, { paths: [{ path: 'value', after: mac('2') }] }, ['value']],
    ['another old value', { paths: [{ path: 'value', before: mac('1') }] }, { paths: [{ path: 'value', before: mac('2') }] }, ['value']],
    ['another resource as a whole', { before: mac('1') }, { before: mac('2') }, []],
    [
      'more attributes, in one order',
      { paths: [{ path: 'value' }] },
      { paths: [{ path: 'value' }, { path: 'note' }, { path: 'comment' }] },
      ['comment', 'note'],
    ],
    ['another output that is waited for', { paths: [{ path: 'value', waitsFor: 'a.url' }] }, { paths: [{ path: 'value', waitsFor: 'b.url' }] }, ['value']],
  ])('do not differ where the same is done with %s: that has moved (R4.10, R4.13)', (_, before, after, paths) => {
    const [one, other] = [plan({ a: [effect('x', before)] }), plan({ a: [effect('x', after)] })];
    expect(differences(one, other)).toEqual([]);
    expect(movedValues(one, other)).toEqual([{ address: effect('x').address, paths }]);
  });

  test('differ in a look at what somebody else has, and not in what is left as it is (R4.9)', () => {
    const look = effect('x', { action: 'read' });
    expect(differences(plan({ a: [] }), plan({ a: [look] }))).toEqual([{ line: 'a', resource: 'x', what: 'new' }]);
    const asItIs = effect('x', { action: 'no-op' });
    expect(differences(plan({ a: [] }), plan({ a: [asItIs] }))).toEqual([]);
    expect(differences(plan({ a: [effect('x')] }), plan({ a: [asItIs] }))).toEqual([{ line: 'a', resource: 'x', what: 'gone' }]);
  });

  test('are compared by the first of two effects of one address (R4.9)', () => {
    const twice = plan({ a: [effect('x', { action: 'update' })], b: [effect('x', { action: 'create' })] });
    expect(differences(twice, plan({ a: [effect('x', { action: 'update' })] }))).toEqual([]);
    expect(differences(twice, plan({ b: [effect('x', { action: 'create' })] }))).toEqual([{ line: 'b', resource: 'x', what: 'changed' }]);
  });

  test('say the same whatever line would do it: the address alone counts (R4.9)', () => {
    expect(differences(plan({ a: [effect('x')] }), plan({ b: [effect('x')] }))).toEqual([]);
  });

  test('differ in what has no name yet', () => {
    const [one, other] = [effect('{b.url}', { waitsFor: ['b.url'] }), effect('{c.url}', { waitsFor: ['c.url'] })];
    expect(differences(plan({ a: [one] }), plan({ a: [other] }))).toEqual([
      { line: 'a', resource: '{c.url}', what: 'new' },
      { line: 'a', resource: '{b.url}', what: 'gone' },
    ]);
  });
});
