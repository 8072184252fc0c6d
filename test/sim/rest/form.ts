import type { Json } from '../wire/answer.ts';

/** A form in which `a[b][0]=c` is `{a: {b: ['c']}}`: maps whose names are 0, 1, 2… are lists. Every value is text. */
export function formBody(text: string): Json {
  const root: Json = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = [...name.matchAll(/^[^[]+|\[([^\]]*)\]/g)].map(([whole, inside]) => inside ?? whole);
    let here = root;
    for (const step of steps.slice(0, -1)) {
      here[step] ??= {};
      here = here[step] as Json;
    }
    here[steps.at(-1) ?? ''] = value;
  }
  return listed(root) as Json;
}

function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inside]) => [name, listed(inside)] as const);
  return entries.length > 0 && entries.every(([name], index) => name === String(index)) ? entries.map(([, inside]) => inside) : Object.fromEntries(entries);
}
