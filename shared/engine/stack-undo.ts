import type { Effect } from '../approvals/effect.ts';
import { recordStale } from '../guard/stale.ts';
import { dropClaim, readClaim } from '../ledger/claim.ts';
import type { Entry, LedgerLine, Told } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { readLedger, saveLedgerLine } from '../ledger/ledger-line.ts';
import type { JobAnswer, LineResult, RunLine } from '../run/items.ts';
import { besideOwn } from '../stacks/compare-changes.ts';
import { keepObject, openerOf, savedPlansPrefix } from '../stacks/kept-object.ts';
import { isOpen, type ToolRecord } from '../stacks/tool-record.ts';
import type { ToolFailure, ToolOutcome } from '../stacks/tool-work.ts';
import type { Holding } from './intents.ts';
import type { Removal } from './removal.ts';
import { newestFirst } from './removal-effects.ts';
import type { RunSecrets } from './run-secrets.ts';
import { secretInIdentity } from './secret-in-identity.ts';
import { approvedChanges, savedIn, stackChanges, stackEffects } from './stack-effects.ts';
import { onlyOurs, settledEntry, stackOfEntry, withLeft } from './stack-entry.ts';
import { type Asked, givenTo, type StackInHand, stackRequest, unready, whereToolsRun } from './stack-job.ts';
import { brokenOffNotes, failureProblem, lostProblem } from './stack-problem.ts';
import { stackResult } from './stack-result.ts';
import { type Ran, runForPlan, runUnderLease } from './stack-run.ts';

const nothing = { changes: [], outputs: {} } as const;

/** A ledger line that holds stacks, as they are taken down. */
export interface UndoingStack extends Holding {
  readonly line: RunLine;
  readonly secrets: RunSecrets;
}

export const isStackEntry = ({ stack }: Entry): boolean => stack !== undefined;

/** What a rollback says of the stacks that its run has applied: their tools know no way back, and a destroy would take away what was there before. */
export const keptStacks = ({ entries }: LedgerLine, only: (entry: Entry) => boolean): string[] =>
  entries.filter((entry) => isStackEntry(entry) && only(entry)).map(({ label }) => `${label} (a stack is not rolled back: what was applied of it stays)`);

/**
 * Takes down what a line holds of stacks, one after the other, the newest first: its tool destroys it, in a job as of an apply. What was there
 * before Lockkeeper first applied it is only let go of, and so is a copy, whose claim is somebody else's (P4). Where no apply has ever ended as it
 * should, it goes only if a fresh plan of that touches nothing but what is known to be made here.
 *
 *     claim ─▶ record of the job ─▶ job ─▶ … ─▶ entry out, told, record over: one write ─▶ claim away
 *
 * @returns the ledger line once no stack is left that is to go; else what the line answers.
 */
export async function undoStacks(base: UndoingStack, only: (entry: Entry) => boolean): Promise<{ readonly ledger: LedgerLine } | JobAnswer> {
  let { ledger } = base;
  for (const entry of newestFirst(ledger, (one) => isStackEntry(one) && only(one))) {
    const done = await undoStack({ ...base, ledger }, entry);
    if (!('ledger' in done)) return done;
    ledger = done.ledger;
  }
  return { ledger };
}

async function undoStack(job: UndoingStack, entry: Entry): Promise<{ readonly ledger: LedgerLine } | JobAnswer> {
  const claim = await readClaim(job.world, entry);
  const isOurs = claim?.scope === job.scope && claim.line === job.ledger.line;
  const told = toldBy(job);
  if (!isOurs) return { ledger: await takeOut(job, entry, told) };
  const letGo = async (why: string, record?: ToolRecord, by = job) => {
    const ledger = await takeOut(by, entry, { ...told, kept: [...told.kept, `${entry.label} (${why})`] }, record);
    await dropClaim(job.world, entry, claim);
    return { ledger };
  };
  const heir = await heirOf(job, entry);
  if (heir) return letGo(sameState(heir), undefined, await passOn(job, entry, heir));
  if (entry.createdBy === 'adopted') return letGo(wasThereBefore);
  const only = onlyOurs(withLeft(job.world, entry, job.ledger.left));
  const hand = handOf(job, entry);
  const problem = unready(job, hand);
  if (problem) return { result: { ...nothing, status: 'destroy_failed', problem } };
  const ran = await runUnderLease(job, job, stackRequest(job, hand, askedOf(job, hand, only)));
  if ('later' in ran) return ran;
  if (only && 'outcome' in ran && holdsMore(job, only, ran.outcome)) return letGo(mayHaveBeen, ran.record);
  if (!('outcome' in ran) || ran.outcome.did !== 'applied') return notGone(job, entry, hand, ran);
  const ledger = await takeOut(job, entry, { ...told, destroyed: [...told.destroyed, entry.label] }, ran.record);
  await dropClaim(job.world, entry, claim);
  return { ledger };
}

/** A stack of the scope, and its line. */
interface Heir {
  readonly line: LedgerLine;
  readonly entry: Entry;
}

/** A stack of the scope that was first applied later, over the same state: a root that was moved. What is in it is its own by now. */
async function heirOf({ world, scope }: Pick<UndoingStack, 'world' | 'scope'>, { stack, sequence }: Entry): Promise<Heir | undefined> {
  const lineage = stack?.state?.lineage;
  if (lineage === undefined) return undefined;
  const all = (await readLedger(world.table, scope)).flatMap((line) => line.entries.map((entry) => ({ line, entry })));
  return all.find((other) => other.entry.stack?.state?.lineage === lineage && other.entry.sequence > sequence);
}

/** What was made here stays ours to take down, under the name that has it now: that is written before the old one is let go. */
async function passOn(job: UndoingStack, entry: Entry, heir: Heir): Promise<UndoingStack> {
  const { world, scope, tenure, run, ledger, guard } = job;
  if (entry.createdBy !== 'lockkeeper' || heir.entry.createdBy === 'lockkeeper') return job;
  guard.beforeWrite(world.timing.storeTimeout);
  const entries = heir.line.entries.map((one) => (one.sequence === heir.entry.sequence ? { ...one, createdBy: 'lockkeeper' as const } : one));
  const saved = await saveLedgerLine(world, scope, tenure, run.id, heir.line, { entries });
  return heir.line.line === ledger.line ? { ...job, ledger: saved } : job;
}

const sameState = ({ entry }: Heir): string => `${entry.label} has the same state`;
const wasThereBefore = 'there was something in it before it was first applied here';
const mayHaveBeen = 'it was never applied to its end here, and there is something in it of which nobody knows who made it';

/** Nothing was deleted, since a fresh plan would have deleted more than what is known to be made here. */
const holdsMore = ({ world }: UndoingStack, only: readonly string[], outcome: ToolOutcome): boolean =>
  outcome.did === 'failed' && outcome.cause === 'not-approved' && besideOwn(only, outcome.planned?.changes ?? [], world.redactor.mask).length > 0;

/** What earlier attempts of this run have told. */
function toldBy({ run, ledger: { told } }: UndoingStack): Told {
  if (told?.run !== run.id) return { destroyed: [], kept: [], changedOutside: [] };
  const { run: _run, ...lists } = told;
  return lists;
}

/** All that its tool is given comes from the entry and from policy: the plan may be gone. */
function handOf({ world, line }: Pick<UndoingStack, 'world' | 'line'>, entry: Entry): StackInHand {
  const { commit, ...stack } = stackOfEntry(world, entry);
  const { adapter, account, key } = entry;
  return { stack, identity: { adapter, account, key }, given: givenTo(line.spec), commit, masks: [] };
}

/** Exactly the plan that was approved, where people were asked; of a stack of which nothing was shown to go, nothing goes. */
function askedOf({ world, line }: UndoingStack, { identity }: StackInHand, only: readonly string[] | undefined): Asked {
  const { approved, stack } = line.spec;
  const destroy = { lock: true, drift: false, destroys: true } as const;
  const owned = only ? { only } : {};
  if (!approved) return { do: 'plan-and-apply', ...destroy, ...owned };
  const own = approved.filter((effect) => isOf(identity, effect));
  const changes = approvedChanges(identity.key, own);
  const saved = savedIn(own);
  if (!saved || !stack?.saved) return { do: 'plan-and-apply', ...destroy, ...owned, approved: { changes } };
  const { sha256, lineage, serial } = saved;
  const state = lineage === undefined || serial === undefined ? {} : { state: { lineage, serial } };
  return { do: 'apply', ...destroy, approved: { plan: { ...openerOf(world.keys, stack.saved), sha256 }, ...state, changes } };
}

function isOf({ adapter, account, key }: Identity, { address }: Effect): boolean {
  const [of, at, name] = JSON.parse(address) as [string, unknown, string];
  return of === adapter && JSON.stringify(at) === JSON.stringify(Object.entries(account).sort()) && (name === key || name.startsWith(`${key}/`));
}

/** What a removal that did not come to its end leaves. */
async function notGone(job: UndoingStack, entry: Entry, hand: StackInHand, ran: Exclude<Ran, { later: number }>): Promise<JobAnswer> {
  const { world, run, line } = job;
  if ('lost' in ran) {
    await endRecord(job, ran.record, undefined);
    const skipped = ran.lost === 'not-begun' && run.stopping !== undefined;
    return { result: skipped ? { ...nothing, status: 'skipped' } : { ...nothing, status: 'destroy_failed', problem: lostProblem(ran.lost) } };
  }
  if (ran.outcome.did !== 'failed') throw new Error(`the job of line ${line.spec.id} planned, and was to destroy`);
  const failure: ToolFailure = ran.outcome;
  if (line.spec.approved && (failure.cause === 'state-moved' || failure.cause === 'not-approved')) {
    await recordStale(world, run, line.spec.id, failure.cause === 'state-moved' ? 'state' : 'drift');
    await endRecord(job, ran.record, undefined);
    const message = `What removing line ${line.spec.id} would delete is not what was approved any more: nothing of the stack was deleted.`;
    return { result: { ...nothing, status: 'skipped', moved: true, problem: { code: 'PLAN_STALE', message } } };
  }
  await endRecord(job, ran.record, failure.state ? settledEntry(world, entry, { state: failure.state }) : undefined);
  const told = await stackResult(world, { run: run.id, line: line.spec.id }, hand, ran.outcome);
  const notes = brokenOffNotes(failure);
  const problem = failureProblem(failure);
  return { result: { ...nothing, status: 'destroy_failed', problem, ...(Object.keys(notes).length > 0 ? { notes } : {}), ...told } };
}

async function takeOut({ world, scope, tenure, run, ledger, guard }: UndoingStack, entry: Entry, told: Told, record?: ToolRecord): Promise<LedgerLine> {
  // What the tool has destroyed is recorded in any case.
  if (!record) guard.beforeWrite(world.timing.storeTimeout);
  const wanted = identityHash(entry);
  const entries = ledger.entries.filter((one) => identityHash(one) !== wanted);
  return saveLedgerLine(world, scope, tenure, run.id, ledger, { entries, told: { ...told, run: run.id }, ...over(world, record) });
}

const over = (world: UndoingStack['world'], record: ToolRecord | undefined): Partial<Pick<LedgerLine, 'external'>> =>
  record && isOpen(record) ? { external: { ...record, ended: world.clock.now() } } : {};

async function endRecord({ world, scope, tenure, run, ledger }: UndoingStack, record: ToolRecord | undefined, entry: Entry | undefined): Promise<void> {
  const ended = over(world, record);
  if (!ended.external && !entry) return;
  const wanted = entry && identityHash(entry);
  const entries = entry ? { entries: ledger.entries.map((one) => (identityHash(one) === wanted ? entry : one)) } : {};
  await saveLedgerLine(world, scope, tenure, run.id, ledger, { ...ended, ...entries });
}

/** What taking down a line's stack would do: part of what the removal of the line would. */
export type PlannedRemoval = Pick<Removal, 'effects' | 'changes' | 'left'> & { readonly stack?: NonNullable<LineResult['stack']> };

/**
 * What taking down the newest stack of a line would do, by its tool's own plan; the plan is kept where people are asked about it. A line that holds
 * several is asked about one by one.
 *
 * @returns undefined where there is none; else what the line answers while nobody knows yet, or never will.
 */
export async function planStackRemoval(
  job: Omit<UndoingStack, 'tenure' | 'guard' | 'attempt'>,
  only: (entry: Entry) => boolean,
): Promise<PlannedRemoval | JobAnswer | undefined> {
  const { world, run, line } = job;
  const [entry] = newestFirst(job.ledger, (one) => isStackEntry(one) && only(one));
  if (!entry) return undefined;
  const none = { effects: [], changes: [], left: [] };
  const claim = await readClaim(world, entry);
  if (claim?.scope !== job.scope || claim.line !== job.ledger.line) return none;
  const heir = await heirOf(job, entry);
  if (heir) return { ...none, left: [`${entry.label} (${sameState(heir)})`] };
  if (entry.createdBy === 'adopted') return { ...none, left: [`${entry.label} (${wasThereBefore})`] };
  const hand = handOf(job, entry);
  const problem = unready(job, hand);
  if (problem) return { result: { ...nothing, status: 'error', problem } };
  const request = stackRequest(job, hand, { do: 'plan', destroys: true, lock: true, drift: false });
  const ran = await runForPlan(job, line, request);
  if ('later' in ran) return ran;
  if (request.ends) return { result: { ...nothing, status: 'skipped' } };
  if ('lost' in ran) return { result: { ...nothing, status: 'error', problem: lostProblem(ran.lost) } };
  const { outcome } = ran;
  const told = await stackResult(world, { run: run.id, line: line.spec.id }, hand, outcome);
  if (outcome.did === 'failed') return { result: { ...nothing, status: 'error', problem: failureProblem(outcome), ...told } };
  if (outcome.did === 'applied') throw new Error(`the job of line ${line.spec.id} applied, and was to plan`);
  const { plan } = outcome;
  const ours = onlyOurs(withLeft(world, entry, job.ledger.left));
  if (ours && besideOwn(ours, plan.changes, world.redactor.mask).length > 0) return { ...none, left: [`${entry.label} (${mayHaveBeen})`] };
  const { effects } = stackEffects(hand.identity, plan);
  const inName = secretInIdentity(
    world,
    'The name of a resource',
    plan.changes.map(({ address }) => address),
  );
  if (inName) return { result: { ...nothing, status: 'error', problem: inName } };
  const keeps = effects.length > 0 && plan.saved && run.gated;
  const below = `${savedPlansPrefix}${plan.saved?.sha256}/`;
  const saved = keeps && (await keepObject(whereToolsRun(world), below, world.ids.fresh(), Buffer.from(plan.saved?.bytes ?? '', 'base64')));
  const stack = { key: hand.identity.key, ...told.stack, version: plan.version, ...(saved ? { saved } : {}) };
  return { effects, changes: stackChanges(hand.identity.key, plan), left: [], stack };
}
