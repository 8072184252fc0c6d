/** What holds after every step, whatever the scenario is about. */

import { type Entry, isDeed } from '../../shared/ledger/entry.ts';
import { identityHash } from '../../shared/ledger/identity.ts';
import type { Item } from '../../shared/ports/table.ts';
import { verifyChain } from '../../shared/receipts/verify-chain.ts';
import type { Run, RunLine } from '../../shared/run/items.ts';
import { runScope } from '../../shared/run/run-scope.ts';
import { scopePartition } from '../../shared/table/keys.ts';
import { stillSealed } from '../ports/still-sealed.ts';
import { type Stage, settle } from './stage.ts';

const isLedger = (item: Item): boolean => item.sk.startsWith('LEDGER#');
const entriesIn = (items: readonly Item[]): Entry[] => items.filter(isLedger).flatMap((item) => item['entries'] as Entry[]);

/** What the providers hold and what the ledger says of it, to be compared with later. */
export interface Snapshot {
  /** Every resource as JSON, by its provider's id. */
  readonly resources: ReadonlyMap<string, string>;
  readonly managed: ReadonlySet<string>;
  readonly ledger: string;
}

export function snapshot({ house }: Stage): Snapshot {
  const { neon, vercel, clerk, rest } = house.sim.state();
  const branches = neon.projects.flatMap((project) => project.branches.map(({ updatedAt: _, readyAt: __, ...branch }) => branch));
  const resources = [...branches, ...vercel.projects.flatMap(({ variables }) => variables), ...clerk.redirects];
  const objects = rest.objects.flatMap(({ body, deleted }) =>
    typeof body['id'] === 'string' && !deleted ? [[body['id'], JSON.stringify(body)] as const] : [],
  );
  const items = house.memory.items();
  const entries = entriesIn(items);
  return {
    resources: new Map([...resources.map((resource) => [resource.id, JSON.stringify(resource)] as const), ...objects]),
    managed: new Set(entries.flatMap(({ id }) => id ?? [])),
    ledger: JSON.stringify(items.filter(isLedger).map(({ pk, sk, entries }) => [pk, sk, entries])),
  };
}

/** I5: what was in no ledger before and is in none now is as it was. */
export function touched(was: Snapshot, is: Snapshot): string[] {
  return [...was.resources].flatMap(([id, before]) => {
    if (was.managed.has(id) || is.managed.has(id)) return [];
    const now = is.resources.get(id);
    return now === before
      ? []
      : [`I5: an unmanaged resource ${now === undefined ? 'is gone' : 'was changed'}: ${before}${now === undefined ? '' : ` → ${now}`}`];
  });
}

/** I6: every chain of receipts parses and has no gap. Chains that a scenario has tampered with are its own business. */
export async function brokenChains({ house }: Stage, tampered: boolean): Promise<string[]> {
  if (tampered) return [];
  const keys = house.bucket.keys().filter((key) => /^receipts\/.*\/latest\.json$/.test(key));
  const found = await Promise.all(keys.map((key) => verifyChain(house.bucket.objects, key.replace(/^receipts\//, '').replace(/\/latest\.json$/, ''))));
  return found.flatMap((chain) => (chain?.broken === undefined ? [] : [`I6: ${chain.broken}`]));
}

/** What holds once everything has come to rest: leases given back, no work left over, no open intent, claims and entries agreeing. */
export function untidy({ house }: Stage): string[] {
  const items = house.memory.items();
  const runs = items.filter((item) => item['item'] === 'run') as unknown as Run[];
  const moving = runs.filter(({ phase }) => phase !== 'done' && phase !== 'waiting' && phase !== 'awaiting');
  if (moving.length > 0) return moving.map(({ id, phase }) => `I11: run ${id} does not come to rest: it is ${phase}`);
  const done = new Set(runs.filter(({ phase }) => phase === 'done').map(({ id }) => `RUN#${id}`));
  const held = items.filter((item) => item.sk === 'LEASE' && item['released'] !== true && runs.some(({ id }) => id === item['holder']));
  const sealed = new Set(stillSealed(items));
  const left = items.filter((item) => done.has(item.pk) && (item.sk.startsWith('OPEN#') || sealed.has(item)));
  const owned = items.filter(isLedger).flatMap((item) =>
    // What was done once has no claim: nothing at a provider stands behind it.
    (item['entries'] as Entry[])
      .filter((entry) => !isDeed(entry))
      .map((entry) => `${identityHash(entry)} ${item.pk.slice('SCOPE#'.length)} ${String(item['line'])}`),
  );
  const claimed = items.filter(({ sk }) => sk === 'CLAIM').map((item) => `${item.pk.slice('CLAIM#'.length)} ${String(item['scope'])} ${String(item['line'])}`);
  return [
    ...held.map(({ pk }) => `P3: the lease ${pk} was not given back`),
    ...left.map(({ pk, sk }) => `P1: ${pk} ${sk} was left over`),
    ...entriesIn(items)
      .filter(({ createdBy }) => createdBy === 'intent')
      .map(({ key }) => `P4: an intent over ${key} was left open`),
    ...claimed.filter((one) => !owned.includes(one)).map((one) => `P4: a claim without an entry: ${one}`),
    ...owned.filter((one) => !claimed.includes(one)).map((one) => `P4: an entry without a claim: ${one}`),
  ];
}

/**
 * R1.61, R1.82: after an apply, however it ended, nothing that its lines name counts as wanted by nobody. The lines' own results tell what
 * they name: a line that never said it is passed over.
 */
export function forsaken({ house }: Stage, run: Run | undefined): string[] {
  if (run?.phase !== 'done' || run.kind !== 'apply') return [];
  const items = house.memory.items();
  const lines = items.filter((item) => item.pk === `RUN#${run.id}` && item.sk.startsWith('LINE#')) as unknown as RunLine[];
  const named = lines.flatMap(({ spec, result, applied }) => (applied ?? result)?.changes.map(({ key }) => `${spec.id} ${key}`) ?? []);
  const orphans = items
    .filter(isLedger)
    .flatMap((item) =>
      item.pk === scopePartition(runScope(run))
        ? (item['entries'] as Entry[]).filter(({ orphan }) => orphan).map(({ key }) => `${String(item['line'])} ${key}`)
        : [],
    );
  return orphans.filter((one) => named.includes(one)).map((one) => `R1.61: the plan names what became an orphan: ${one}`);
}

/** I10: the last webhook and the last messages, delivered once more, change nothing. */
export async function changedByReplay(stage: Stage, sentBefore: number): Promise<string[]> {
  const { house } = stage;
  const was = snapshot(stage);
  const runs = () => JSON.stringify(house.runs().map(({ id, phase, outcome, round }) => [id, phase, outcome, round]));
  const stood = runs();
  const writes = house.sim.writes().length - house.sim.writes({ provider: 'github' }).length - house.sim.writes({ provider: 'slack' }).length;
  for (const mail of house.queues.sent.slice(sentBefore).slice(-4)) house.queues.deliver(mail);
  if (stage.last) await house.webhook(stage.last.hook, stage.last.delivery);
  if (stage.lastClick) await house.click(stage.lastClick);
  await settle(stage, {});
  const is = snapshot(stage);
  const wrote = house.sim.writes().length - house.sim.writes({ provider: 'github' }).length - house.sim.writes({ provider: 'slack' }).length - writes;
  return [
    ...(wrote > 0 ? [`I10: delivered again, a message wrote ${wrote} times to a provider`] : []),
    ...(is.ledger === was.ledger ? [] : [`I10: delivered again, a message changed the ledger: ${was.ledger} → ${is.ledger}`]),
    ...(runs() === stood ? [] : [`I10: delivered again, a message changed a run: ${stood} → ${runs()}`]),
  ];
}
