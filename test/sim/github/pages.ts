import type { Incoming } from '../wire/answer.ts';
import { numberOf } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';

/** One page of a list and the Link header that leads to the others. */
export interface Page<T> {
  readonly items: T[];
  readonly headers: Record<string, string>;
}

/** Cuts a page out of a list by `per_page` (30, to 100) and `page`. */
export function pageOf<T>(request: Incoming, scene: Scene, all: readonly T[]): Page<T> {
  const size = Math.min(numberOf(request.query, 'per_page', 30, 1, 100), scene.world.github.settings.pageSize);
  const last = Math.max(1, Math.ceil(all.length / size));
  const page = numberOf(request.query, 'page', 1, 1, Number.MAX_SAFE_INTEGER);
  const to = (number: number, rel: string): string => {
    const query = new URLSearchParams(request.query);
    query.set('page', String(number));
    return `<${scene.urls.github}${request.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    ...(page > 1 ? [to(1, 'first')] : []),
  ];
  return { items: all.slice((page - 1) * size, page * size), headers: links.length === 0 ? {} : { link: links.join(', ') } };
}
