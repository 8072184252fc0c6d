import { describe, expect, it } from 'vitest';
import { everyPage, type Page } from './pages.ts';

const self = (item: string): string => item;

/** Pages by cursor; counts the requests. */
function pages(byCursor: Record<string, Page<string>>) {
  const asked: string[] = [];
  return {
    asked,
    read: () =>
      everyPage('things', self, async (cursor = 'first') => {
        asked.push(cursor);
        return byCursor[cursor] ?? { items: [] };
      }),
  };
}

describe('a paged list', () => {
  it('ends where no next page is named', async () => {
    const { read, asked } = pages({ first: { items: ['a'], next: '2' }, '2': { items: ['b'] } });
    expect(await read()).toEqual(['a', 'b']);
    expect(asked).toEqual(['first', '2']);
  });

  it('ends at an empty page that names a next one', async () => {
    const { read, asked } = pages({ first: { items: ['a'], next: '2' }, '2': { items: [], next: '3' }, '3': { items: ['never'] } });
    expect(await read()).toEqual(['a']);
    expect(asked).toHaveLength(2);
  });

  it('ends at a cursor that comes again', async () => {
    const { read, asked } = pages({ first: { items: ['a'], next: '2' }, '2': { items: ['b'], next: '2' } });
    expect(await read()).toEqual(['a', 'b']);
    expect(asked).toHaveLength(2);
  });

  it('ends at a page that brings nothing new', async () => {
    const { read } = pages({ first: { items: ['a'], next: '2' }, '2': { items: ['a'], next: '3' }, '3': { items: ['never'] } });
    expect(await read()).toEqual(['a']);
  });

  it('names each item once', async () => {
    const { read } = pages({ first: { items: ['a', 'b'], next: '2' }, '2': { items: ['b', 'c'] } });
    expect(await read()).toEqual(['a', 'b', 'c']);
  });

  it('that never ends is refused, not cut: what exists must not look absent', async () => {
    let count = 0;
    const endless = everyPage('things', self, async () => ({ items: [`item ${count++}`], next: String(count) }));
    await expect(endless).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' });
    expect(count).toBe(1_000);
  });
});
