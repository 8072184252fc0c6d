import type { ActiveLine } from './types.ts';

/** Those lines and what they need, without whose outputs nobody can say what they want. In the plan's order; an id that is none is passed over. */
export function withNeeds(lines: readonly ActiveLine[], wanted: Iterable<string>): ActiveLine[] {
  const known = new Map(lines.map((line) => [line.id, line]));
  const taken = new Set<string>();
  const take = (id: string): void => {
    if (taken.has(id)) return;
    taken.add(id);
    for (const needed of known.get(id)?.needs ?? []) take(needed);
  };
  for (const id of wanted) take(id);
  return lines.filter(({ id }) => taken.has(id));
}
