/** What removing one entry writes at a provider, as people approve it and as the removal is held against it. */
import type { Effect } from '../approvals/effect.ts';
import { type Entry, isIntent, type LedgerLine } from '../ledger/entry.ts';
import type { World } from '../run/world.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import { hashOfValue } from './value.ts';

/** The entries of a line that a removal takes, as it takes them: what was made last goes first (R1.67). */
export const newestFirst = ({ entries }: LedgerLine, only: (entry: Entry) => boolean): Entry[] =>
  entries.filter(only).sort((a, b) => (a.sequence < b.sequence ? 1 : -1));

/** It holds something else than Lockkeeper wrote. */
export const isEdited = (entry: Entry, found: Fingerprint): boolean =>
  !isIntent(entry) && entry.fingerprint !== undefined && entry.kept === undefined && compare(entry.fingerprint, found) === 'different';

/** The deletion of what an entry was found to be. */
export const deletion = (entry: Entry, found: Fingerprint): Effect => ({ ...effectOf(entry, 'delete'), before: found });

/** The first value of an adopted resource, put back over what is there. */
export const givingBack = (entry: Entry, found: Fingerprint): Effect => ({
  ...effectOf(entry, 'update'),
  before: found,
  ...(entry.original ? { after: entry.original.of } : {}),
});

/** The request that takes an action back: exactly that one. */
export const undoRequest = ({ keys }: Pick<World, 'keys'>, entry: Entry): Effect => ({
  ...effectOf(entry, 'run'),
  after: fingerprint(keys.fingerprint, hashOfValue(JSON.stringify(entry.action?.undo ?? null))),
});

export const effectOf = ({ adapter, account, key }: Entry, action: Effect['action']): Effect => ({
  address: JSON.stringify([adapter, Object.entries(account).sort(), key]),
  action,
  paths: [],
  waitsFor: [],
});
