import { describe, expect, test } from 'vitest';
import { differences } from './differences.ts';
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
    ['another new value', { after: mac('1') }, { after: mac('2') }],
    ['another old value', { before: mac('1') }, { before: mac('2') }],
    ['other paths', {}, { paths: [{ path: 'value' }, { path: 'comment' }] }],
    ['another output that is waited for', { waitsFor: ['a.url'] }, { waitsFor: ['b.url'] }],
  ])('differ in a resource to which the later one would do %s', (_, before, after) => {
    expect(differences(plan({ a: [effect('x', before)] }), plan({ a: [effect('x', after)] }))).toEqual([{ line: 'a', resource: 'x', what: 'changed' }]);
  });

  test('differ in what has no name yet', () => {
    const [one, other] = [effect('{b.url}', { waitsFor: ['b.url'] }), effect('{c.url}', { waitsFor: ['c.url'] })];
    expect(differences(plan({ a: [one] }), plan({ a: [other] }))).toEqual([
      { line: 'a', resource: '{c.url}', what: 'new' },
      { line: 'a', resource: '{b.url}', what: 'gone' },
    ]);
  });
});
