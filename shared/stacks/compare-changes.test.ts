import { describe, expect, it } from 'vitest';
import { besideApproved, besideOwn, compareChanges, madeBy } from './compare-changes.ts';
import type { StackAction, StackChange } from './tool-work.ts';

const change = (address: string, actions: readonly StackAction[], more: Partial<StackChange> = {}): StackChange => ({
  address,
  type: 't',
  actions,
  paths: [],
  ...more,
});
const mac = (text: string, key = 'k') => ({ key, mac: text });

describe('two change sets', () => {
  it('are the same whatever the order of their addresses, and with what stays as it is left out (R4.9)', () => {
    const approved = [change('a', ['update']), change('b', ['create'])];
    const fresh = [change('b', ['create']), change('c', ['none']), change('a', ['update'])];
    expect(compareChanges(approved, fresh)).toEqual({ actions: [], values: [] });
  });

  it('differ by the order of the actions on one address (R4.9)', () => {
    expect(compareChanges([change('a', ['delete', 'create'])], [change('a', ['create', 'delete'])]).actions).toEqual(['a']);
  });

  it('differ by a read alone (R4.9)', () => {
    expect(compareChanges([], [change('data.x.a', ['read'])]).actions).toEqual(['data.x.a']);
  });

  it('differ by an address that is new or gone, and by a move', () => {
    expect(compareChanges([change('a', ['create'])], [change('b', ['create'])]).actions).toEqual(['a', 'b']);
    expect(compareChanges([], [change('a', ['none'], { previousAddress: 'b' })]).actions).toEqual(['a']);
  });

  it('count the first of an address that is there twice (R4.9)', () => {
    expect(compareChanges([change('a', ['create']), change('a', ['delete'])], [change('a', ['create'])]).actions).toEqual([]);
  });

  it('differ by what is there, or would be, although the same is done to it (R4.10, R4.13)', () => {
    const approved = [change('a', ['update'], { before: mac('1'), after: mac('2') }), change('b', ['update'], { before: mac('1'), after: mac('2') })];
    const drifted = [change('a', ['update'], { before: mac('9'), after: mac('2') }), change('b', ['update'], { before: mac('1'), after: mac('9') })];
    expect(compareChanges(approved, drifted)).toEqual({ actions: [], values: ['a', 'b'] });
  });

  it('see drift in an attribute that the configuration ignores, where the resource is changed for another one (R4.14)', () => {
    const approved = [change('a', ['update'], { before: mac('as it was'), after: mac('with a new size') })];
    const edited = [change('a', ['update'], { before: mac('edited'), after: mac('edited, with a new size') })];
    expect(compareChanges(approved, edited).values).toEqual(['a']);
  });

  it('are not told apart by fingerprints of two keys', () => {
    expect(compareChanges([change('a', ['update'], { before: mac('1', 'old') })], [change('a', ['update'], { before: mac('2', 'new') })]).values).toEqual([]);
  });
});

describe('a fresh plan beside an approved one', () => {
  it('may do less, and nothing more or else', () => {
    const approved = [change('a', ['create']), change('b', ['update'], { before: mac('1') })];
    expect(besideApproved(approved, [change('a', ['create'])])).toEqual([]);
    expect(besideApproved(approved, [change('c', ['delete'])])).toEqual(['c']);
    expect(besideApproved(approved, [change('data.x.a', ['read'])])).toEqual([]);
    expect(besideApproved(approved, [change('a', ['delete', 'create']), change('b', ['update'], { before: mac('2') })])).toEqual(['a', 'b']);
  });
});

describe('what is known to be made here', () => {
  it('is what was not there before: nothing that was changed, replaced or imported, and no output', () => {
    const changes = [change('a', ['create']), change('b', ['update']), change('c', ['delete', 'create']), change('d', ['import'])];
    expect(madeBy([...changes, change('output.x', ['create'], { type: 'output' })])).toEqual(['a']);
  });

  it('is held against a removal: all else that it would delete or forget is beside it', () => {
    const removal = [change('a', ['delete']), change('b', ['forget']), change('a (deposed 0a1b2c3d)', ['delete']), change('data.x.a', ['read'])];
    expect(besideOwn(['a'], [...removal, change('output.x', ['delete'], { type: 'output' })], String)).toEqual(['a (deposed 0a1b2c3d)', 'b']);
  });
});
