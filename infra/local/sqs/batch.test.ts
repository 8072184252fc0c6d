import { describe, expect, test } from 'vitest';
import { failedOf } from './batch.ts';

const batch = ['a', 'b', 'c'].map((id) => ({ MessageId: id }));
const answer = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('a partial batch answer', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', answer()],
    ['a null list', { batchItemFailures: null }],
  ])('that is %s fails no message', (_, given) => {
    expect([...failedOf(given, batch, false)]).toEqual([]);
  });

  test('fails the messages it names', () => {
    expect([...failedOf(answer('b'), batch, false)]).toEqual(['b']);
  });

  test.each([
    ['names a message of another batch', answer('b', 'z')],
    ['names an empty id', answer('')],
    ['names nothing in an entry', { batchItemFailures: [{}] }],
    ['is a text', 'ok'],
    ['has a list of the wrong shape', { batchItemFailures: 'b' }],
  ])('that %s fails the whole batch', (_, given) => {
    expect([...failedOf(given, batch, false)]).toEqual(['a', 'b', 'c']);
  });

  test('of a FIFO queue fails everything from the first named message on', () => {
    expect([...failedOf(answer('b'), batch, true)]).toEqual(['b', 'c']);
  });
});
