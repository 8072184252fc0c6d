/** A place in a JSON document: a top-level name, or a pointer (RFC 6901). `/` alone is a pointer to the member with no name; the empty text is the whole document. */

/** The steps of a field: `name` is one, `/a/b~1c` are two. */
export function stepsOf(field: string): readonly string[] {
  if (field === '') return [];
  if (!field.startsWith('/')) return [field];
  return field
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether a text can be a field: a pointer's `~` stands only before 0 or 1. */
export const isField = (text: string): boolean => !text.startsWith('/') || !/~(?![01])/.test(text);

/** What stands at a field; undefined where nothing does. A list is indexed by whole numbers without zeros in front. */
export function valueAt(document: unknown, field: string): unknown {
  let here = document;
  for (const step of stepsOf(field)) {
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(step) ? here[Number(step)] : undefined;
    else if (typeof here === 'object' && here !== null && Object.hasOwn(here, step)) here = (here as Record<string, unknown>)[step];
    else return undefined;
  }
  return here;
}

/** The document with another value at a field; the maps on the way are made where they are not. The given document stays as it is. */
export function withValueAt(document: unknown, field: string, value: unknown): unknown {
  return placed(document, stepsOf(field), value);
}

function placed(here: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(here) && /^(0|[1-9]\d*)$/.test(step)) {
    const copy = [...here];
    copy[Number(step)] = placed(here[Number(step)], rest, value);
    return copy;
  }
  const map = typeof here === 'object' && here !== null && !Array.isArray(here) ? (here as Record<string, unknown>) : {};
  const member = Object.hasOwn(map, step) ? map[step] : undefined;
  return Object.fromEntries([...Object.entries(map).filter(([name]) => name !== step), [step, placed(member, rest, value)]]);
}

/** Two documents as one: members of both are merged at any depth, else the second's stand. */
export function merged(one: unknown, other: unknown): unknown {
  if (!isMap(one) || !isMap(other)) return other;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, !Object.hasOwn(other, name) ? one[name] : Object.hasOwn(one, name) ? merged(one[name], other[name]) : other[name]]),
  );
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
