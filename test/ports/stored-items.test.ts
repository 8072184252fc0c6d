import { expect, test } from 'vitest';
import { storedItems } from './stored-items.ts';

const filled = (...keys: readonly string[]) => {
  const stored = storedItems();
  for (const sk of keys) stored.set({ pk: 'p', sk }, { pk: 'p', sk });
  return stored;
};
const keysOf = (items: readonly { sk: string }[]) => items.map((item) => item.sk);

test('items of a partition come in the order of their sort keys by bytes, whatever the order of arrival', () => {
  expect(keysOf(filled('b', '\u{1f600}', 'a', '\uffee', 'a#1').startingWith('p', ''))).toEqual(['a', 'a#1', 'b', '\uffee', '\u{1f600}']);
});

test('a prefix takes what starts so and nothing beside it, up to the limit', () => {
  const stored = filled('LINE#a', 'OPEN#1', 'OPEN#2', 'OPEN', 'OPENER');
  expect(keysOf(stored.startingWith('p', 'OPEN#'))).toEqual(['OPEN#1', 'OPEN#2']);
  expect(keysOf(stored.startingWith('p', 'OPEN#', 1))).toEqual(['OPEN#1']);
  expect(stored.startingWith('other', '')).toEqual([]);
});

test('an item that is put again stands once, and one that is deleted stands nowhere', () => {
  const stored = filled('a', 'b', 'a');
  stored.delete({ pk: 'p', sk: 'b' });
  stored.delete({ pk: 'p', sk: 'never' });
  expect(keysOf(stored.all())).toEqual(['a']);
  expect(stored.get({ pk: 'p', sk: 'b' })).toBeUndefined();
});

test('what was kept comes back as often as it is asked for, whatever was changed since, and whichever was kept later', () => {
  const stored = filled('a', 'b');
  const back = stored.keep();
  stored.delete({ pk: 'p', sk: 'a' });
  stored.set({ pk: 'p', sk: 'c' }, { pk: 'p', sk: 'c' });
  const later = stored.keep();
  stored.set({ pk: 'p', sk: 'd' }, { pk: 'p', sk: 'd' });
  for (let time = 0; time < 2; time += 1) {
    back();
    expect(keysOf(stored.all())).toEqual(['a', 'b']);
    stored.delete({ pk: 'p', sk: 'b' });
    later();
    expect(keysOf(stored.all())).toEqual(['b', 'c']);
    stored.set({ pk: 'q', sk: 'e' }, { pk: 'q', sk: 'e' });
  }
});
