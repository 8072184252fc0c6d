import type { Code } from '../errors/codes.ts';
import { LockkeeperError } from '../errors/error.ts';
import { isStale, recordStale } from '../guard/stale.ts';
import { enterLease } from '../lease/lease.ts';
import { lockHolder } from '../lease/parent-lock.ts';
import { takeClaim } from '../ledger/claim.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { largestLine } from '../ledger/ledger-line.ts';
import { deadline } from '../run/deadline.ts';
import type { JobAnswer, LineResult, Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import { readRunLine } from '../run/run-store.ts';
import type { World } from '../run/world.ts';
import { madeBy } from '../stacks/compare-changes.ts';
import type { ToolRecord } from '../stacks/tool-record.ts';
import type { ToolFailure, ToolOutcome } from '../stacks/tool-work.ts';
import { closeLetter, readInput } from '../stacks/worker-mailbox.ts';
import { ledgerLine, roundOver, unreadyInput } from './apply-job.ts';
import { entryOf, standing } from './evidence.ts';
import { inheritIdentity } from './inherit.ts';
import { readNeeds, resolveLine } from './inputs.ts';
import { callFor } from './line-call.ts';
import type { RunSecrets } from './run-secrets.ts';
import { secretInIdentity } from './secret-in-identity.ts';
import { askedOf, isApplied, isApproved, savedIsThere } from './stack-asked.ts';
import { stackBeside } from './stack-beside.ts';
import { approvedChanges, savedIn, stackChanges } from './stack-effects.ts';
import { begunEntry, settledEntry, unknownEntry, wasThere, withLeft } from './stack-entry.ts';
import { stackOfOther, stackRequest, unready, whereToolsRun } from './stack-job.ts';
import { missingOutputs, storeStackOutputs } from './stack-outputs.ts';
import { inHand } from './stack-plan.ts';
import { brokenOffNotes, failureProblem, listed, lostProblem, wroteNothing } from './stack-problem.ts';
import { type ApplyingStack, recordEnd, recordNothing, saveEntry } from './stack-record.ts';
import { stackDrift, stackNames, stackResult } from './stack-result.ts';
import { hasBegunTool, type Ran, runUnderLease } from './stack-run.ts';
import { isBeside, leftBeside } from './ticked-line.ts';
import { nothingToAccept } from './to-accept.ts';
import { nothingToAdopt } from './to-adopt.ts';

const nothing = { changes: [], outputs: {} } as const;

/**
 * A line that is a stack, from its claim to its result. Its tool runs in a job that outlives this one many times over (P9): each time round this
 * goes the same way, and finds what has been begun.
 *
 *     claim on the stack ─▶ entry, begun ─▶ record of the job ─▶ job ─▶ … ─▶ what it did: entry and record in one write ─▶ result
 */
export async function applyStackLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  const begun = await hasBegunTool(world, run, line);
  if (!begun && run.stopping) return { result: { ...nothing, status: 'skipped' } };
  if (!begun && run.gated && (await isStale(world, run))) return roundOver(world, run, line);
  const aside = isBeside(run, line);
  if (aside && line.spec.dependants.length === 0) return { result: leftBeside };
  const needs = await readNeeds(world, run, line);
  if (aside && needs.state !== 'ready') return { result: leftBeside };
  if (needs.state === 'dead') return { result: { ...nothing, status: 'skipped', problem: needs.problem } };
  if (needs.state === 'waiting') return { result: { ...nothing, status: 'waiting', waitingOn: needs.on, waitingFor: needs.event } };

  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours) return { result: { ...nothing, status: 'skipped', problem: lostLease(entry.lease?.holder) } };
  const params = resolveLine(world, run, line, needs.lines, secrets);
  const refused = unreadyInput(params, secrets.failures, needs.lines);
  if (refused) return { result: aside ? leftBeside : { ...nothing, ...refused } };

  const guard = deadline(world.clock, line.until, entry.tenure.deadline);
  const { op, call } = await callFor(world, run, line, secrets, guard);
  const attempt = { holder: lockHolder(run.id, line.spec.id, line.attempt), until: line.until };
  if (aside)
    return stackBeside({ world, run, scope, line, op, call, params, ledger: undefined, parent: undefined, secrets }, op.stack as NonNullable<typeof op.stack>);
  const ledger = await ledgerLine(world, run, line, scope, entry.tenure, guard);
  const base = { world, run, scope, line, op, call, params, ledger, tenure: entry.tenure, guard, attempt, parent: undefined, secrets };
  const hand = inHand(base, op.stack as NonNullable<typeof op.stack>);
  const job: ApplyingStack = { ...base, hand };
  return begun ? goOn(job) : begin(job);
}

const lostLease = (holder = 'unknown') => ({ code: 'LOCK_LOST', message: `Run ${holder} has taken the lease.` }) as const;

/** What has to hold before the tool may write: that it is the stack's owner, and that what it will do is what people have seen. */
async function begin(job: ApplyingStack): Promise<JobAnswer> {
  const { world, run, line, scope, op, hand, guard } = job;
  const { identity } = hand;
  const noResource = nothingToAdopt(job, []) ?? nothingToAccept(job);
  const problem = noResource ?? secretInIdentity(world, 'The name of a stack', [identity.key]) ?? unready(job, hand);
  if (problem) return { result: { ...nothing, status: 'blocked', problem } };
  const { approved } = line.spec;
  if (approved && approved.length > 0 && !isApproved(hand, approved)) return moved(job, 'drift', planNow(line.spec.id));
  const isDone = approved !== undefined && (approved.length === 0 || isApplied(job, approved));
  const gives = line.spec.dependants.length > 0;
  // What is as it is wanted, and not in the ledger yet, is looked at once more, and recorded (R0.7).
  if (isDone && !gives && entryOf(job.ledger, identity)) return { result: { ...nothing, status: 'unchanged', ...named(job, false) } };
  if (approved && !isDone && savedIn(approved) && !(await savedIsThere(job)))
    return moved(job, 'state', `The saved plan of line ${line.spec.id} is not there any more.`);

  const known = await standing(world, { scope, run: run.id, line: line.spec.id, ledger: job.ledger, predecessor: run.predecessor }, identity);
  const owned = known.inherited ? { ...job, ledger: await inheritIdentity(job, identity, known.inherited) } : job;
  const isIdle = async (other: string) => (await readRunLine(world.table, run.id, other)) === undefined;
  guard.beforeWrite(world.timing.storeTimeout);
  const claim = await takeClaim(world, identity, scope, line.spec.id, isIdle);
  if (!claim.ours && isDone && !gives) return { result: { ...nothing, status: 'unchanged', ...named(job, false) } };
  if (!claim.ours) {
    const problem = stackOfOther(op, hand.stack, identity, claim.owner, { scope, line: line.spec.id });
    return { result: { ...nothing, status: 'blocked', problem } };
  }
  const before = known.entry && withLeft(world, known.entry, owned.ledger.left);
  const entry = begunEntry(owned, identity, hand.stack, before);
  guard.beforeWrite(world.timing.storeTimeout);
  return goOn({ ...owned, ledger: await saveEntry(owned, entry) });
}

const planNow = (line: string): string => `What line ${line} waited for is there now: it is planned, and asked about.`;

/** One look at the job, from its record to what it did. */
async function goOn(job: ApplyingStack): Promise<JobAnswer> {
  const { line, hand } = job;
  try {
    const ran = await runUnderLease(job, { ...job, ledger: job.ledger }, stackRequest(job, hand, askedOf(job)));
    return 'later' in ran ? ran : await endOf(job, ran, line);
  } catch (error) {
    if (!(error instanceof LockkeeperError) || !noRole.has(error.code)) throw error;
    return roleRefused(job, error);
  }
}

const noRole: ReadonlySet<Code> = new Set<Code>(['ROLE_REFUSED', 'PROVIDER_AUTH']);

/** Without its role the job never gets its work, unless somebody else was quicker to give it: nothing was written, and nothing is held for it. */
async function roleRefused(job: ApplyingStack, error: LockkeeperError): Promise<JobAnswer> {
  const record = job.ledger.external;
  const end = whereToolsRun(job.world);
  if (record) {
    await closeLetter(end, record, 'input');
    if ((await readInput(end, record)) !== 'closed') throw error;
  }
  await recordNothing(job, record);
  return { result: { ...nothing, status: 'failed', problem: error.problem, ...named(job, true) } };
}

async function endOf(job: ApplyingStack, ran: Exclude<Ran, { later: number }>, line: RunLine): Promise<JobAnswer> {
  const { world, run, hand } = job;
  const { record } = ran;
  if ('lost' in ran) {
    await (ran.lost === 'not-begun' ? recordNothing(job, record) : recordEnd(job, record, (entry) => unknownEntry(entry, run.id)));
    const skipped = ran.lost === 'not-begun' && run.stopping !== undefined;
    return { result: { ...nothing, status: skipped ? 'skipped' : 'failed', ...(skipped ? {} : { problem: lostProblem(ran.lost) }), ...named(job, true) } };
  }
  const { outcome } = ran;
  if (outcome.did === 'planned') throw new Error(`the job of line ${line.spec.id} planned, and was to apply`);
  const told = await stackResult(world, { run: run.id, line: line.spec.id }, hand, outcome);
  return outcome.did === 'failed' ? failed(job, record, outcome, told) : appliedAnswer(job, record, outcome, told);
}

type Applied = Extract<ToolOutcome, { did: 'applied' }>;
type Told = Pick<LineResult, 'stack'>;

async function appliedAnswer(job: ApplyingStack, record: ToolRecord | undefined, outcome: Applied, told: Told): Promise<JobAnswer> {
  const { world, line, op, hand, ledger } = job;
  const { key } = hand.identity;
  const stored = storeStackOutputs(world, op, line.spec, outcome.outputs);
  const made = madeBy(outcome.changes);
  const entry = entryOf(ledger, hand.identity);
  const found = entry !== undefined && wasThere(world, entry, outcome.resources, made);
  const plan = planOf(job);
  const known = { ...(outcome.state ? { state: outcome.state } : {}), applied: { found, ...(plan === undefined ? {} : { plan }) } };
  const writes = writesOf(outcome.changes);
  await recordEnd(job, record, (one) => settledEntry(world, one, writes ? { ...known, by: job.run.id } : known));
  const drift = outcome.plan ? stackDrift(line.spec, key, outcome.plan.drift) : [];
  const missing = missingOutputs(stored.missing);
  const notes = {
    ...(drift.length > 0 && writes ? { reconciled: listed(drift.map(({ resource }) => resource.label ?? resource.key)) } : {}),
    ...(outcome.differs.length > 0 ? { differs: listed(outcome.differs) } : {}),
    ...(ledger.left ? leftNotes(ledger.left) : {}),
  };
  if (outcome.differs.length > 0)
    world.log.error('a stack was applied otherwise than it was approved', { run: job.run.id, line: line.spec.id, differs: outcome.differs.length });
  const result: LineResult = {
    status: missing ? 'failed' : writes ? 'applied' : 'unchanged',
    changes: stackChanges(key, outcome),
    outputs: stored.outputs,
    drift,
    ...(missing ? { problem: missing } : {}),
    ...(Object.keys(notes).length > 0 ? { notes } : {}),
    names: stackNames(hand, writes, true),
    stack: { key, ...told.stack, ...(outcome.plan ? { version: outcome.plan.version } : {}) },
  };
  return { result: listedIn(line, result), secret: stored.secret };
}

/** What was applied is applied, however much it was: of a list that no item has room for, the beginning is told. */
function listedIn({ spec }: RunLine, result: LineResult): LineResult {
  const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  let room = largestLine - sizeOf([spec, { ...result, changes: [], drift: [] }]);
  const fits = (one: unknown): boolean => {
    room -= sizeOf(one) + 1;
    return room >= 0;
  };
  const [changes, drift] = [result.changes.filter(fits), (result.drift ?? []).filter(fits)];
  const left = result.changes.length - changes.length;
  if (left + (result.drift ?? []).length === drift.length) return result;
  return { ...result, changes, drift, notes: { ...result.notes, 'not listed': `${left} more changes` } };
}

/** The saved plan that the job has run, where there was one. */
const planOf = ({ line }: ApplyingStack): string | undefined => line.spec.approved && savedIn(line.spec.approved)?.sha256;

const writesOf = (changes: Applied['changes']): boolean =>
  changes.some(({ actions, previousAddress }) => previousAddress !== undefined || actions.some((one) => one !== 'none' && one !== 'read'));

/** What a job has done that its run did not live to hear. */
function leftNotes({ run, did, done, notDone }: NonNullable<LedgerLine['left']>): Record<string, string> {
  const what = did === 'applied' ? 'had applied it' : did === 'failed' ? 'had failed' : `had been ended (${did})`;
  const more = brokenOffNotes({ ...(done ? { done } : {}), ...(notDone ? { notDone } : {}) });
  const told = Object.entries(more).map(([name, text]) => `; ${name}: ${text}`);
  return { 'earlier job': `the tool job of run ${run.slice(0, 12)} ${what}${told.join('')}` };
}

async function failed(job: ApplyingStack, record: ToolRecord | undefined, failure: ToolFailure, told: Told): Promise<JobAnswer> {
  const { line, run, world } = job;
  const { approved } = line.spec;
  if (approved && (failure.cause === 'state-moved' || failure.cause === 'not-approved')) {
    // The stop stands before anything else is written (R4.6): a death after it finds the round over.
    const answer = await moved(job, failure.cause === 'state-moved' ? 'state' : 'drift', movedMessage(line.spec.id));
    await recordNothing(job, record);
    return answer;
  }
  // Half made is made: what was to be created was not there, done or not.
  const made = madeBy(failure.planned?.changes ?? approvedChanges(job.hand.identity.key, approved ?? []));
  const known = { ...(failure.state ? { state: failure.state } : {}), made, fresh: wasEmpty(job, failure), by: run.id };
  await (wroteNothing(failure, askedOf(job).do === 'plan-and-apply')
    ? recordNothing(job, record)
    : recordEnd(job, record, (entry) => settledEntry(world, entry, known)));
  const stopped = failure.cause === 'stopped' && run.stopping !== undefined && (failure.done ?? []).length === 0;
  if (stopped) return { result: { ...nothing, status: 'skipped', ...named(job, true), ...told } };
  const notes = brokenOffNotes(failure);
  world.log.warn('a stack could not be applied', { run: run.id, line: line.spec.id, cause: failure.cause });
  return {
    result: {
      ...nothing,
      status: 'failed',
      problem: failureProblem(failure),
      ...(Object.keys(notes).length > 0 ? { notes } : {}),
      ...named(job, true),
      ...told,
    },
  };
}

/** Whether an apply that broke off was of a plan that was made where there was no state; Pulumi's plans do not tell. */
function wasEmpty({ hand, line: { spec } }: ApplyingStack, { cause, planned, done = [] }: ToolFailure): boolean {
  if (hand.stack.tool === 'pulumi' || (cause !== 'apply-failed' && done.length === 0)) return false;
  if (planned) return planned.state === undefined;
  const saved = spec.approved && savedIn(spec.approved);
  return saved !== undefined && saved.lineage === undefined;
}

const movedMessage = (line: string): string => `What line ${line} would do is not what was approved any more: nothing of it was done.`;

/** What was approved cannot be run any more: nothing was written, and the run is planned again (P7). */
async function moved({ world, run, line }: ApplyingStack, cause: 'state' | 'drift', message: string): Promise<JobAnswer> {
  await recordStale(world, run, line.spec.id, cause);
  return { result: { ...nothing, status: 'skipped', moved: true, problem: { code: 'PLAN_STALE', message } } };
}

/** What other lines name is held against it, and its entry stays whatever came of the line. */
const named = ({ hand }: ApplyingStack, writes: boolean): Pick<LineResult, 'names' | 'stack'> => ({
  names: stackNames(hand, writes, true),
  stack: { key: hand.identity.key },
});
