import type { Effect } from '../approvals/effect.ts';
import { destroys, type Pending, type PendingChange, type Source } from './row.ts';

/** Text that the lists of one row may take, in UTF-16 units of their JSON: the body has no room for more, and an item holds 400 KB. */
const mostListed = 60_000;

/** The same difference keeps the run that first found it: its box stays the one that people have before them. */
export const issuedBy = (before: (Source & { readonly digest?: string }) | undefined, digest: string | undefined, now: Source): Source =>
  before !== undefined && digest !== undefined && before.digest === digest ? { run: before.run, commit: now.commit, asOf: now.asOf } : now;

/** How many there are of each kind. */
export function tallied<Kind extends string>(kinds: readonly Kind[]): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** What takes something away stands first, so that it is cut last. */
export const changesAsFit = (changes: readonly PendingChange[]): { readonly listed: readonly PendingChange[]; readonly more: { readonly more?: true } } =>
  asFits([...changes.filter(destroys), ...changes.filter((one) => !destroys(one))]);

/** As many as fit into a row's item, the first ones; `more`: not all. */
export function asFits<T>(all: readonly T[]): { readonly listed: readonly T[]; readonly more: { readonly more?: true } } {
  let room = mostListed;
  const end = all.findIndex((one) => {
    room -= JSON.stringify(one).length;
    return room < 0;
  });
  return end < 0 ? { listed: all, more: {} } : { listed: all.slice(0, end), more: { more: true } };
}

/** As what a write is counted. What a stack's tool takes over, lets go of or moves changes its state alone. */
export function countedAs({ action }: Pick<Effect, 'action'>): keyof Pending['counts'] {
  switch (action) {
    case 'import':
    case 'forget':
    case 'move':
    case 'no-op':
    case 'read':
      return 'update';
    default:
      return action;
  }
}
