import { describe, expect, test } from 'vitest';
import { amongApproved, type Effect, type GivenOutputs, type PathEffect } from './effect.ts';

const of = (mac: string, key = 'k') => ({ key, mac });
const given: GivenOutputs = new Map([
  ['a.id', { text: 'seven', fingerprint: of('seven') }],
  ['a.quoted', { text: '"{a.id}"', fingerprint: of('quoted') }],
]);
const update = (paths: readonly PathEffect[], more: Partial<Effect> = {}): Effect => {
  const waitsFor = paths.flatMap((path) => path.waitsFor ?? []);
  return { address: '["x",[],"r"]', action: 'update', paths, before: of('was'), waitsFor, ...(waitsFor.length > 0 ? {} : { after: of('all') }), ...more };
};
const create = (key: string, more: Partial<Effect> = {}): Effect => ({
  address: JSON.stringify(['x', [], key]),
  action: 'create',
  paths: [{ path: 'value', after: of('1') }],
  waitsFor: [],
  ...more,
});
const isAmong = (fresh: Effect | readonly Effect[], approved: Effect | readonly Effect[]) => amongApproved([fresh].flat(), [approved].flat(), given);

describe('an effect is among the approved ones (I7, P7)', () => {
  const known = update([
    { path: 'a', before: of('0'), after: of('1') },
    { path: 'b', before: of('0'), after: of('2') },
  ]);

  test('when it is one of them', () => expect(isAmong(known, [create('other'), known])).toBe(true));
  test('when there is none left to have', () => expect(isAmong([], known)).toBe(true));

  test.each<[string, Effect]>([
    ['a path more', update([...known.paths, { path: 'c', after: of('3') }])],
    ['another new value of a path', update([{ path: 'a', before: of('0'), after: of('9') }, ...known.paths.slice(1)])],
    ['another old value of a path', update([{ path: 'a', before: of('9'), after: of('1') }, ...known.paths.slice(1)])],
    ['another state of the resource', update(known.paths, { before: of('edited') })],
    ['another end of the resource', update(known.paths, { after: of('other') })],
    ['another action', update(known.paths, { action: 'create' })],
    ['another resource', update(known.paths, { address: '["x",[],"s"]' })],
    ['fingerprints under another key', update(known.paths, { before: of('was', 'other') })],
    ['no path to compare', update([])],
  ])('not with %s', (_what, fresh) => expect(isAmong(fresh, known)).toBe(false));
});

describe('an effect that waited for an output', () => {
  const waited = update([
    { path: 'a', before: of('0'), waitsFor: 'a.id' },
    { path: 'b', before: of('0'), after: of('2') },
  ]);
  const filled = (value: string, more: readonly PathEffect[] = waited.paths.slice(1)) => update([{ path: 'a', before: of('0'), after: of(value) }, ...more]);

  test('covers exactly the value that output came to', () => {
    expect(isAmong(filled('seven'), waited)).toBe(true);
    expect(isAmong(filled('eight'), waited)).toBe(false);
  });
  test('covers less of itself: what is missing is satisfied', () => expect(isAmong(filled('seven', []), waited)).toBe(true));
  test('covers no other path', () => {
    expect(isAmong(filled('seven', [{ path: 'domain', after: of('2') }]), waited)).toBe(false);
    expect(isAmong(update([{ path: 'a', before: of('0'), after: of('seven') }, ...waited.paths.slice(1), { path: 'c', after: of('3') }]), waited)).toBe(false);
  });
  test('covers no other value beside it', () => expect(isAmong(filled('seven', [{ path: 'b', before: of('0'), after: of('9') }]), waited)).toBe(false));
  test('covers nothing while the output is not there', () => {
    const other = update([{ path: 'a', waitsFor: 'z.url' }]);
    expect(isAmong(update([{ path: 'a', after: of('seven') }]), other)).toBe(false);
  });
  test('covers nothing that still waits, not even itself: it would be written without a value', () => expect(isAmong(waited, waited)).toBe(false));
});

describe('an effect whose name waited for an output', () => {
  const unnamed = (key: string, waitsFor: readonly string[] = ['a.id']) => create(key, { waitsFor });

  test('covers the name that comes of putting the output in', () => {
    expect(isAmong(create('thing:seven-k'), unnamed('thing:{a.id}-k'))).toBe(true);
    expect(isAmong(create('thing:eight-k'), unnamed('thing:{a.id}-k'))).toBe(false);
    expect(isAmong(create('thing:seven-other'), unnamed('thing:{a.id}-k'))).toBe(false);
  });
  test('is not misled by an output that looks like another’s mark, or by quotes', () => {
    expect(isAmong(create('"{a.id}"-seven'), unnamed('{a.quoted}-{a.id}', ['a.id', 'a.quoted']))).toBe(true);
    expect(isAmong(create('"seven"-seven'), unnamed('{a.quoted}-{a.id}', ['a.id', 'a.quoted']))).toBe(false);
  });
  test('covers one resource, not as many as come', () => {
    const one = create('thing:seven-k');
    expect(isAmong([one, one], unnamed('thing:{a.id}-k'))).toBe(false);
    expect(isAmong([one, create('p'), create('q')], unnamed('thing:{a.id}-k'))).toBe(false);
    expect(isAmong([one, create('thing:seven-l')], [unnamed('thing:{a.id}-k'), unnamed('thing:{a.id}-l')])).toBe(true);
  });
  test('covers no other value: a secret rotated meanwhile is another effect', () => {
    expect(isAmong(create('thing:seven-k', { paths: [{ path: 'value', after: of('rotated') }] }), unnamed('thing:{a.id}-k'))).toBe(false);
  });
  test('covers no update of what turned out to be there', () => {
    expect(isAmong(create('thing:seven-k', { action: 'update', before: of('was') }), unnamed('thing:{a.id}-k'))).toBe(false);
  });
});
