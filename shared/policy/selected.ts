import { isPlainMap } from '../errors/quoted.ts';
import type { Path } from '../yaml/place.ts';

/** Something in the file and the way to it. */
export interface Selected {
  readonly value: unknown;
  readonly path: Path;
}
export interface SelectedText extends Selected {
  readonly value: string;
}

/**
 * Everything at the places a pattern names, in the order of the file; `*` is any key or item. What is not there, or is shaped
 * otherwise, is left out: rules that compare places go on beside what else is wrong.
 */
export function selected(root: unknown, pattern: Path): readonly Selected[] {
  let found: readonly Selected[] = [{ value: root, path: [] }];
  for (const step of pattern) found = found.flatMap((one) => below(one, step));
  return found;
}

export const selectedTexts = (root: unknown, pattern: Path): readonly SelectedText[] =>
  selected(root, pattern).filter((one): one is SelectedText => typeof one.value === 'string');

function below({ value, path }: Selected, step: string | number): readonly Selected[] {
  if (!Array.isArray(value) && !isPlainMap(value)) return [];
  if (step !== '*') return Object.hasOwn(value, step) ? [{ value: (value as Record<string, unknown>)[step], path: [...path, step] }] : [];
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inside.map(([key, item]) => ({ value: item, path: [...path, key] }));
}
