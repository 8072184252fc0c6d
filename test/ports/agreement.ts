import { type Entry, isDeed } from '../../shared/ledger/entry.ts';
import { identityHash } from '../../shared/ledger/identity.ts';
import type { Item } from '../../shared/ports/table.ts';
import { digestOf, parseReceipt } from '../../shared/receipts/chain.ts';
import { stillSealed } from './still-sealed.ts';
import type { Workbench } from './workbench.ts';

/**
 * What is wrong between table, bucket and provider when everything is at rest, as sentences; empty when all is well.
 * Runs are final (I11), no lease is live (I9), entries and claims name each other (I8), every entry is there and every
 * thing but `strangers` is an entry (I2, I8), nothing sealed and no open work is left (I1), the chain has no gap (I6).
 */
export function disagreements(bench: Workbench, strangers: readonly string[] = []): string[] {
  const items = bench.memory.items();
  const wrong: string[] = [];
  const entries = items
    .filter((item) => item.sk.startsWith('LEDGER#'))
    .flatMap((item) => ownedEntries(item))
    .filter(({ entry }) => !isDeed(entry));
  for (const { entry, owner } of entries) {
    const claim = items.find((item) => item.pk === `CLAIM#${identityHash(entry)}`);
    if (claim === undefined) wrong.push(`${owner} has an entry ${entry.key} without a claim`);
    else if (entry.takenFrom === claim['line'])
      continue; // a copy: neither written nor destroyed (P4)
    else if (`${claim['scope']} ${claim['line']}` !== owner) wrong.push(`${owner} has an entry ${entry.key} that ${claim['scope']} ${claim['line']} claims`);
    if (entry.createdBy === 'intent') wrong.push(`${owner} still has an intent for ${entry.key}`);
  }
  // What is in a stack its tool knows, and what is a part of something else whoever gave it: no provider here.
  const things = entries.filter(({ entry }) => entry.stack === undefined && entry.key.startsWith('thing:'));
  const known = new Set(things.filter(({ entry }) => entry.createdBy !== 'intent').map(({ entry }) => `${placeOf(entry)}${entry.key.slice('thing:'.length)}`));
  const there = bench.provider.names().map((name) => name.slice(0, name.indexOf('=')));
  for (const name of there) if (!known.has(name) && !strangers.includes(name)) wrong.push(`${name} is at the provider and in no ledger`);
  for (const name of known) if (!there.includes(name)) wrong.push(`${name} is in the ledger and not at the provider`);
  if (new Set(there).size < there.length) wrong.push(`something is there twice: ${there}`);
  return [...wrong, ...unrested(bench, items), ...liveLeases(bench, items), ...gaps(bench)];
}

/** Claims whose entry is gone. A death between the two removals leaves one (P4): whoever wants the thing next takes it. */
export function abandonedClaims(bench: Workbench): string[] {
  const items = bench.memory.items();
  const held = new Set(items.filter((item) => item.sk.startsWith('LEDGER#')).flatMap((item) => (item['entries'] as Entry[]).map(identityHash)));
  return items.filter((item) => item.pk.startsWith('CLAIM#') && !held.has(item.pk.slice('CLAIM#'.length))).map((item) => item.pk);
}

function ownedEntries(item: Item): { entry: Entry; owner: string }[] {
  return (item['entries'] as Entry[]).map((entry) => ({ entry, owner: `${item.pk.slice('SCOPE#'.length)} ${item['line']}` }));
}

const placeOf = (entry: Entry) => (entry.account['place'] === 'here' ? '' : `${entry.account['place']}/`);

function unrested(bench: Workbench, items: readonly Item[]): string[] {
  const runs = items.filter((item) => item['item'] === 'run' && item['phase'] !== 'done' && item['phase'] !== 'waiting');
  const resting = new Set(items.filter((item) => item['item'] === 'run' && item['phase'] === 'waiting').map((item) => item.pk));
  const sealed = stillSealed(items).filter(({ pk }) => !resting.has(pk));
  return [
    ...runs.map((run) => `run ${run['id']} rests in ${run['phase']}`),
    ...sealed.map((item) => `${item.pk} ${item.sk} is still sealed`),
    ...bench.queues.waiting().map((message) => `a message is left: ${JSON.stringify(message)}`),
  ];
}

function liveLeases(bench: Workbench, items: readonly Item[]): string[] {
  const live = items.filter((item) => item.sk === 'LEASE' && item['released'] !== true && (item['expiresAt'] as number) >= bench.clock.now());
  return live.map((item) => `the lease of ${item.pk} is live, held by ${item['holder']}`);
}

/** Every version of a `latest.json` names the digest of the one before it. */
function gaps(bench: Workbench): string[] {
  return bench.bucket
    .keys()
    .filter((key) => key.endsWith('/latest.json'))
    .flatMap((key) => {
      const bodies = bench.bucket.bodies(key);
      return bodies.flatMap((body, at) => {
        const before = at === 0 ? null : digestOf(bodies[at - 1] as string);
        return parseReceipt(body).previous === before ? [] : [`version ${at} of ${key} does not name the one before it`];
      });
    });
}
