import { LockkeeperError } from '../../errors/error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: string | undefined;
}

const mostPages = 1_000;

/**
 * Every item of a paged list, each id once. The list ends where no next page is named, where a page brings nothing new, and
 * where a cursor comes a second time: some providers name a next page for ever.
 *
 * @throws LockkeeperError PROVIDER_RESPONSE after 1,000 pages. A cut list would make what exists look absent.
 */
export async function everyPage<T>(list: string, idOf: (item: T) => string, fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items = new Map<string, T>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < mostPages; count++) {
    const page = await fetchPage(cursor);
    const known = items.size;
    for (const item of page.items) if (!items.has(idOf(item))) items.set(idOf(item), item);
    if (page.next === undefined || items.size === known || cursors.has(page.next)) return [...items.values()];
    cursors.add(page.next);
    cursor = page.next;
  }
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `The list of ${list} does not end after ${mostPages} pages.` });
}
