import { createHash } from 'node:crypto';
import { amongApproved } from '../approvals/effect.ts';
import { LockkeeperError } from '../errors/error.ts';
import { recordDeed } from '../ledger/deed.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import type { Identity } from '../ledger/identity.ts';
import type { LineResult } from '../run/items.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import type { Applying } from './applying.ts';
import { deedEntry } from './deed-entry.ts';
import { effectOf, givenOutputs } from './effects.ts';
import { hideSecrets, secretInKey, shownChanges } from './inspect.ts';
import type { Inspecting } from './inspecting.ts';
import type { ActionOp, ResourceChange, StoredRequest } from './op.ts';
import { findDeed } from './step.ts';

/** What is known of a one-off action now: from the ledger alone, the provider is not asked (R1.56). */
export interface JudgedAction {
  readonly change: ResourceChange;
  readonly identity: Identity;
  readonly entry: Entry | undefined;
  readonly from?: LedgerLine;
  /** Of the trigger as it is now. */
  readonly trigger: Fingerprint;
  readonly undo: StoredRequest | undefined;
  readonly is: 'sent' | 'due';
}

/**
 * Whether the trigger as it is now has run in this scope. A fingerprint under another key is no change (design, "Values"): a rotated key
 * must not send everything once more.
 */
export async function judgeAction(job: Inspecting, action: ActionOp): Promise<JudgedAction> {
  const { world, op, call, params } = job;
  const [bare] = op.diff(params, { resources: [], outputs: {}, live: op.nothingLive }, call.context) as [ResourceChange];
  const change = hideSecrets(world, bare);
  const identity: Identity = { adapter: op.adapter, account: call.identity, key: change.key };
  const found = await findDeed(job, identity);
  const trigger = fingerprint(world.keys.fingerprint, change.hash as string);
  const sent = found.entry?.fingerprint !== undefined && compare(found.entry.fingerprint, trigger) !== 'different';
  return { change, identity, ...found, trigger, undo: action.undo(params), is: sent ? 'sent' : 'due' };
}

/**
 * One one-off action of an apply: sent, then recorded, never the other way round and without an intent. A death in between sends it once
 * more, under the same idempotency key (R1.56). It is never rolled back.
 *
 *     judge ─▶ send ─▶ record
 */
export async function applyAction(job: Applying, action: ActionOp): Promise<LineResult | 'moved'> {
  const judged = await judgeAction(job, action);
  const { key, label } = judged.change;
  const problem = secretInKey(job.world, [judged.change]);
  const { approved } = job.line.spec;
  if (judged.is === 'sent') {
    await renew(job, judged);
    return { status: 'unchanged', changes: [{ key, label, kind: 'unchanged', fields: [] }], outputs: {} };
  }
  if (approved && (problem || !amongApproved([effectOf(job, judged.change, 'run')], approved, givenOutputs(job)))) return 'moved';
  if (problem) return { status: 'blocked', changes: [], outputs: {}, problem };
  refuseSecretUndo(job, judged.undo);
  await action.send(job.params, job.call, sendingKey(job, judged));
  await record(job, judged);
  return { status: 'applied', changes: shownChanges([judged]), outputs: {} };
}

/**
 * The same for every attempt at one sending, and another for the next sending of a trigger that came back: what was sent before is in
 * it, and so is the life of the line, since what a destroy took back and forgot is to be done again, and not taken for a repetition. 40
 * hex digits, which every API takes that takes a key at all.
 */
function sendingKey({ scope, line, ledger }: Applying, { entry, identity, change }: JudgedAction): string {
  const parts = [scope, line.spec.id, identity.key, change.hash, entry?.action?.at ?? '', ledger.born ?? ''];
  return `lockkeeper-${sha256(JSON.stringify(parts)).slice(0, 40)}`;
}

/** The key under which a destroy sends what takes an action back: the same until it is forgotten. */
export const undoKey = (scope: string, entry: Entry): string =>
  `lockkeeper-${sha256(JSON.stringify(['undo', scope, entry.key, entry.action?.at ?? ''])).slice(0, 40)}`;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** It has been sent: it is recorded even when the job's time is nearly up, as everything is that a provider has answered. */
async function record(job: Applying, judged: JudgedAction): Promise<void> {
  await save(job, judged, { at: new Date(job.world.clock.now()).toISOString(), run: job.run.id });
}

/** Sent before: nothing is written, unless what a destroy would send has changed, or whose entry it is, or the key of its fingerprint. */
async function renew(job: Applying, judged: JudgedAction): Promise<void> {
  const { entry, from, trigger, undo } = judged;
  const ran = entry?.action as NonNullable<Entry['action']>;
  const same = entry?.fingerprint && compare(entry.fingerprint, trigger) === 'same' && JSON.stringify(ran.undo) === JSON.stringify(undo);
  if (same && !entry.orphan && !from) return;
  refuseSecretUndo(job, undo);
  job.guard.beforeWrite(job.world.timing.storeTimeout * 2);
  await save(job, judged, ran);
}

async function save(job: Applying, judged: JudgedAction, ran: Pick<NonNullable<Entry['action']>, 'at' | 'run'>): Promise<void> {
  const { world, scope, tenure, run } = job;
  const { identity, change, trigger, undo, entry, from } = judged;
  const action = { at: ran.at, run: ran.run, ...(undo ? { undo } : {}) };
  const deed = deedEntry(job, { identity, label: change.label, fingerprint: trigger, before: entry, action });
  await recordDeed({ writer: world, scope, tenure, run: run.id }, job.ledger, deed, from);
}

/** What a destroy is to send is stored as it is: whatever the op lets through, no registered value is (I1). */
function refuseSecretUndo({ world }: Applying, undo: StoredRequest | undefined): void {
  if (!undo || !world.redactor.contains(JSON.stringify(undo))) return;
  throw new LockkeeperError({
    code: 'PARAM_INVALID',
    message: 'The `undo` of a one-off action would carry a secret value: it is stored, so nothing of it may be secret.',
  });
}
