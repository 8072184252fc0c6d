import type { Entry } from '../../../shared/ledger/entry.ts';
import { identityHash } from '../../../shared/ledger/identity.ts';
import { entriesIn } from '../house.ts';
import type { Seen } from '../stage.ts';

/**
 * At rest ledger, claims and provider agree (P4): no intent is left by a run that settled after it was made, every entry has its claim, and everything that our requests made is in
 * a ledger, under its own id or as an intent, but for what somebody moved.
 */
export function disagreeing(stage: Seen): string[] {
  const { bench, ours, moved } = stage;
  const items = bench.memory.items(({ sk }) => sk === 'CLAIM' || sk === 'HEAD' || sk.startsWith('LEDGER#'));
  const claims = new Map(items.filter((item) => item.sk === 'CLAIM').map((item) => [item.pk, `${String(item['scope'])} ${String(item['line'])}`]));
  const owned = items
    .filter((item) => item.sk.startsWith('LEDGER#'))
    .flatMap((item) => (item['entries'] as Entry[]).map((entry) => ({ entry, owner: `${item.pk.slice('SCOPE#'.length)} ${String(item['line'])}` })));
  const unclaimed = owned.filter(({ entry, owner }) => claims.get(`CLAIM#${identityHash(entry)}`) !== owner && entry.takenFrom === undefined);
  const known = new Set(entriesIn(bench).flatMap(({ id }) => id ?? []));
  const lost = bench.provider.things().filter((thing) => ours.has(thing.id) && !known.has(thing.id) && !moved.has(thing.id));
  const settled = new Map(items.filter((item) => item.sk === 'HEAD').map((item) => [item.pk, (item['settled'] as { fence: number } | undefined)?.fence ?? 0]));
  const intents = owned.filter(({ entry }) => entry.createdBy === 'intent');
  const left = intents.filter(({ entry, owner }) => (settled.get(`SCOPE#${owner.slice(0, owner.lastIndexOf(' '))}`) ?? 0) > entry.fence);
  // An id that is a secret value of something else is kept nowhere: such a thing is known by its name.
  const byName = new Set(owned.filter(({ entry }) => entry.id === undefined).map(({ entry }) => entry.key));
  return [
    ...unclaimed.map(
      ({ entry, owner }) => `agreement: ${owner} has ${entry.key}, which is claimed by ${claims.get(`CLAIM#${identityHash(entry)}`) ?? 'nobody'}`,
    ),
    ...left.map(({ entry, owner }) => `agreement: ${owner} has an intent for ${entry.key} that a later run settled over`),
    ...lost.filter((thing) => !byName.has(`thing:${thing.name}`)).map((thing) => `agreement: we made ${thing.name} (${thing.id}), and no ledger has it`),
  ];
}
