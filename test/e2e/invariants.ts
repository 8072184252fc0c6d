import { expect } from 'vitest';
import type { Entry } from '../../shared/ledger/entry.ts';
import { identityHash } from '../../shared/ledger/identity.ts';
import type { Item } from '../../shared/ports/table.ts';
import { digestOf } from '../../shared/receipts/chain.ts';
import type { LatestReceipt } from '../../shared/receipts/receipt.ts';
import type { Run } from '../../shared/run/items.ts';
import { canaries, type House, rests } from './house.ts';
import { everyItem, everyVersion } from './sinks.ts';
import type { Stage } from './stage.ts';

const passwords = new Set<string>();

/** Every value that must be seen nowhere: the planted credentials, and each password the fake Neon had when it was asked. */
function secretValues(house: House): string[] {
  for (const project of house.sim.state().neon.projects) {
    for (const branch of project.branches) for (const role of branch.roles) passwords.add(role.password);
  }
  return [...Object.values(canaries), ...passwords];
}

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
];

/** I1: no secret value in any item, object version, message to GitHub, or log line. Each sink is read past the code that fills it. */
export async function expectNoSecretAnywhere(stage: Stage): Promise<void> {
  const wanted = secretValues(stage).flatMap(spellings);
  const sinks = {
    table: (await everyItem(stage)).map((item) => JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value))),
    bucket: (await everyVersion(stage)).map(({ key, body }) => `${key}\n${body}`),
    github: stage.sim.requests({ provider: 'github' }).map(({ path, query, body }) => `${path}?${query}\n${body}`),
    log: stage.logs.lines,
  };
  expect(Object.values(sinks).every((texts) => texts.length > 0)).toBe(true);
  const leaks = Object.entries(sinks).flatMap(([sink, texts]) =>
    texts.filter((text) => wanted.some((secret) => text.includes(secret))).map((text) => `${sink}: ${text}`),
  );
  expect(leaks).toEqual([]);
}

/** After a test: what the fakes were told to do is forgotten, everything is at rest, and no secret is anywhere. */
export async function expectLeftInOrder(stage: Stage): Promise<void> {
  stage.sim.control.clear();
  await expectAtRest(stage);
  await expectNoSecretAnywhere(stage);
}

/**
 * What holds of every scope once nothing moves any more: leases are given back and sealed, runs rest and left no open work and
 * no sealed value, no intent is open, and claims and ledger entries name the same identities.
 */
export async function expectAtRest(stage: Stage): Promise<void> {
  await stage.stack.idle({ withinMs: 20_000, ignoreDelayed: true });
  const items = await everyItem(stage);
  const runs = items.filter((item) => item['item'] === 'run') as unknown as Run[];
  const done = new Set(runs.filter((run) => run.phase === 'done').map((run) => `RUN#${run.id}`));
  const entriesOf = (item: Item) => item['entries'] as Entry[];
  const ledger = items.filter((item) => item.sk.startsWith('LEDGER#'));
  expect({
    heldLeases: items.filter((item) => item.sk === 'LEASE' && (item['released'] !== true || item['sealedAt'] !== item['fence'])),
    movingRuns: runs.filter((run) => !rests(run)),
    openIntakes: items.filter((item) => item['kind'] === 'intake' && item['status'] !== 'done'),
    leftovers: items.filter((item) => done.has(item.pk) && (item.sk === 'SEALED' || item.sk.startsWith('OPEN#'))),
    intents: ledger.flatMap(entriesOf).filter((entry) => entry.createdBy === 'intent'),
    dead: Object.entries(await stage.stack.queueDepths()).filter(([id, depth]) => id.includes('Dead') && depth.visible + depth.inFlight > 0),
  }).toEqual({ heldLeases: [], movingRuns: [], openIntakes: [], leftovers: [], intents: [], dead: [] });

  const owned = ledger.flatMap((item) => entriesOf(item).map((entry) => `${identityHash(entry)} ${item.pk.slice('SCOPE#'.length)} ${item['line']}`));
  const claimed = items.filter((item) => item.sk === 'CLAIM').map((item) => `${item.pk.slice('CLAIM#'.length)} ${item['scope']} ${item['line']}`);
  expect(claimed.sort()).toEqual(owned.sort());
}

/** I6: every link of a pull request's chain parses and names the digest of the one before it. Returns the receipts, oldest first. */
export async function expectChain(house: House, pull: { readonly number: number }): Promise<LatestReceipt[]> {
  const versions = await everyVersion(house, 'receipts/');
  const links = versions.filter(({ key }) => key.endsWith(`/pr-${pull.number}/latest.json`)).map(({ body }) => body);
  const receipts = links.map((body) => JSON.parse(body) as LatestReceipt);
  expect(receipts.length).toBeGreaterThan(0);
  expect(receipts.map((receipt) => receipt.previous)).toEqual([null, ...links.slice(0, -1).map(digestOf)]);
  return receipts;
}
