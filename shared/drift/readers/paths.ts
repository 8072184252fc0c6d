import { isList, isMap, type Json, memberOf, same } from './json.ts';

/** The way to one value inside another: keys of maps and positions in lists. */
export type Way = readonly (string | number)[];

/** `a.b`, `a["b.c"]`, `a[0]`: the form that every record uses. */
export function pathText(way: Way): string {
  return way
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** A path as tools and people write it; undefined for what is none. */
export function wayOf(path: string): Way | undefined {
  const way: (string | number)[] = [];
  const step = /(?:^|(?<=.)\.)([^.[\]"]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/sy;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null) return undefined;
    const [, plain, position, quoted] = found;
    if (quoted === undefined) way.push(position === undefined ? (plain ?? '') : Number(position));
    else {
      const key = keyIn(quoted);
      if (key === undefined) return undefined;
      way.push(key);
    }
  }
  return way.length === 0 ? undefined : way;
}

function keyIn(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

export function valueAt(value: Json | undefined, way: Way): Json | undefined {
  let found = value;
  for (const step of way) {
    if (typeof step === 'number' && isList(found)) found = found[step];
    else if (isMap(found)) found = memberOf(found, String(step));
    else return undefined;
  }
  return found;
}

/** Where two values differ, as deep as both have something to compare. */
export interface Difference {
  readonly way: Way;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export function differences(before: Json | undefined, after: Json | undefined, way: Way = []): Difference[] {
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(memberOf(before, key), memberOf(after, key), [...way, key]));
  }
  if (isList(before) && isList(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }).flatMap((_, index) => differences(before[index], after[index], [...way, index]));
  }
  return same(before, after) ? [] : [{ way, before, after }];
}
