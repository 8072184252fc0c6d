import { isStale, recordStale } from '../guard/stale.ts';
import { enterLease } from '../lease/lease.ts';
import { lockHolder } from '../lease/parent-lock.ts';
import { isIntent } from '../ledger/entry.ts';
import { createLedgerLine, readLedgerLine } from '../ledger/ledger-line.ts';
import { splitReference } from '../plan/references.ts';
import type { Scalar } from '../plan/types.ts';
import { untilNextRound } from '../run/backoff.ts';
import { deadline } from '../run/deadline.ts';
import type { JobAnswer, LineResult, Run, RunLine } from '../run/items.ts';
import { pausedUntil, pauseProvider } from '../run/pause.ts';
import { environmentsOf, runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { compare } from '../secrets/fingerprint.ts';
import { applyAction } from './action.ts';
import { type ApplyOutcome, applyLine, driftOf } from './apply-line.ts';
import { applyStep } from './apply-step.ts';
import type { Applying } from './applying.ts';
import { type Awaited, awaitOutputs } from './await-external.ts';
import { ignoredNote } from './ignored.ts';
import { failedEvent, failedInput, type Needed, readNeeds, resolveLine } from './inputs.ts';
import { shownChanges, withBegun } from './inspect.ts';
import type { Judged } from './inspecting.ts';
import { callFor } from './line-call.ts';
import { onceCarried, onceGiven } from './once.ts';
import type { Op, Outputs } from './op.ts';
import { storeOutputs } from './outputs.ts';
import { parentOf } from './parent.ts';
import { leaves } from './resolve.ts';
import type { RunSecrets } from './run-secrets.ts';
import { openSealed } from './sealed-outputs.ts';
import { withheldOutputs } from './secret-in-identity.ts';
import { isBeside, leftBeside, leftNote } from './ticked-line.ts';
import { nothingToAccept } from './to-accept.ts';
import { nothingToAdopt } from './to-adopt.ts';
import { unmanagedBeside } from './unmanaged.ts';
import { pendingIn, type ResolvedParams } from './value.ts';

const nothing = { changes: [], outputs: {} } as const;

/** One line of an apply, from its claim to its result. */
export async function applyPhaseLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  if (run.stopping) return { result: { ...nothing, status: 'skipped' } };
  if (run.gated && (await isStale(world, run)) && !(await hasBegun(world, run, line))) return roundOver(world, run, line);
  const needs = await readNeeds(world, run, line);
  if (needs.state === 'dead') return { result: { ...nothing, status: 'skipped', problem: needs.problem } };
  const aside = isBeside(run, line);
  if (needs.state === 'waiting')
    return aside ? { result: leftBeside } : { result: { ...nothing, status: 'waiting', waitingOn: needs.on, waitingFor: needs.event } };

  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours)
    return {
      result: { ...nothing, status: 'skipped', problem: { code: 'LOCK_LOST', message: `Run ${entry.lease?.holder ?? 'unknown'} has taken the lease.` } },
    };
  const params = resolveLine(world, run, line, needs.lines, secrets);
  const refused = unreadyInput(params, secrets.failures, needs.lines);
  if (refused) return { result: aside && refused.status !== 'blocked' ? leftBeside : { ...nothing, ...refused } };

  const guard = deadline(world.clock, line.until, entry.tenure.deadline);
  const paused = await pausedUntil(world, line.spec);
  if (paused !== undefined) return { later: Math.ceil((paused - world.clock.now()) / 1000) };
  const { op, call } = await callFor(world, run, line, secrets, guard);
  if (aside && (op.manual || op.action)) return { result: leftBeside };
  const ledger = await ledgerLine(world, run, line, scope, entry.tenure, guard);
  const attempt = { holder: lockHolder(run.id, line.spec.id, line.attempt), until: line.until };
  const begun = withBegun(call, ledger);
  const job = { world, run, scope, line, op, call: begun, params, ledger, tenure: entry.tenure, guard, attempt, parent: parentOf(world, op, params, begun) };
  const noResource = op.manual || op.action ? (nothingToAdopt(job, []) ?? nothingToAccept(job)) : undefined;
  if (noResource) return { result: { ...nothing, status: 'blocked', problem: noResource } };
  if (op.manual) return deedAnswer(job, await applyStep(job, op.manual));
  if (op.action) return deedAnswer(job, await applyAction(job, op.action));
  return answerOf(job, secrets, await applyLine(job));
}

/** A deed has no outputs to wait for; what nobody has approved of it stops the round. */
async function deedAnswer(job: Applying, outcome: LineResult | 'moved'): Promise<JobAnswer> {
  if (outcome === 'moved') return moved(job);
  return { result: { ...outcome, ...(job.line.spec.account ? {} : { account: job.call.identity }) } };
}

/** The round is over for a line that has begun nothing. It says if it could not have gone on in any case: a failure wins over a moved line (P7). */
export async function roundOver(world: World, run: Run, line: RunLine): Promise<JobAnswer> {
  const problem = await failedEvent(world, run, line);
  return { result: { ...nothing, status: 'skipped', ...(problem ? { problem } : {}) } };
}

/**
 * Whether an earlier attempt of this run began a create, which the provider may be at work on. It was approved: it is finished and
 * recorded, or the next question would ask for what is being made already. A line that has begun nothing starts nothing (P7).
 */
async function hasBegun(world: World, run: Run, line: RunLine): Promise<boolean> {
  if (line.attempt < 2) return false;
  const ledger = await readLedgerLine(world.table, runScope(run), line.spec.id);
  return ledger?.entries.some((entry) => isIntent(entry) && entry.run === run.id) === true;
}

/** The line's ledger item was made by prepare; a line that lost it gets it again, within the deadline. */
export async function ledgerLine(
  world: World,
  run: Run,
  line: RunLine,
  scope: string,
  tenure: Applying['tenure'],
  guard: Applying['guard'],
): Promise<Applying['ledger']> {
  const found = await readLedgerLine(world.table, scope, line.spec.id);
  if (found) return found;
  const { id, adapter, op, needs, writes } = line.spec;
  const written = writes === undefined ? {} : { writes };
  const guarded = environmentsOf(run, written).some((environment) => run.protects?.includes(environment));
  guard.beforeWrite(world.timing.storeTimeout);
  await createLedgerLine(world, scope, tenure, run.id, { line: id, adapter, op, needs, ...written, ...(guarded ? { protected: true } : {}) });
  return (await readLedgerLine(world.table, scope, line.spec.id)) as Applying['ledger'];
}

/** A secret without a value refuses the line; an output that has not come yet lets it wait, or skips it when it never will. */
export function unreadyInput(
  params: ResolvedParams,
  failures: Readonly<Record<string, string>>,
  needed: readonly Needed[],
): Pick<LineResult, 'status' | 'problem' | 'waitingFor' | 'waitingOn'> | undefined {
  for (const { path, value } of leaves(params)) {
    if (value.kind === 'unresolved')
      return { status: 'blocked', problem: { code: 'SECRET_UNRESOLVED', message: `${path}: ${failures[value.ref] ?? `${value.ref} has no value`}.` } };
    const [first] = pendingIn(value);
    const failed = first === undefined ? undefined : failedInput(params, needed);
    if (failed) return { status: 'skipped', problem: failed };
    if (first !== undefined) return { status: 'waiting', waitingOn: splitReference(first).line, waitingFor: 'deploy' };
  }
  return undefined;
}

async function answerOf(job: Applying, secrets: RunSecrets, outcome: ApplyOutcome): Promise<JobAnswer> {
  const { world, run, line, op } = job;
  if (outcome.outcome === 'later') return putOff(job, outcome);
  if (outcome.outcome === 'moved') return moved(job);
  const changes = shownChanges(outcome.resources);
  const seen = { changes, drift: driftOf(outcome.resources), ...(line.spec.account ? {} : { account: job.call.identity }) };
  if (outcome.outcome === 'refused') return { result: { ...seen, outputs: {}, status: 'blocked', problem: outcome.problem } };
  if (outcome.outcome === 'failed') {
    const notes = outcome.notes ? { notes: outcome.notes } : {};
    return { result: { ...seen, outputs: {}, status: 'failed', problem: outcome.problem, ...notes } };
  }

  const given = { ...keptOnce(job, secrets, outcome.resources), ...outcome.outputs };
  // What a deployment gives comes after the redeploy of what the lines of the run write (P8).
  const asks = line.spec.dependants.length > 0 && line.spec.redeployedBy === undefined;
  const awaited: Awaited = asks ? await awaitOutputs(job, given) : { outputs: given };
  const stored = storeOutputs(world, line.spec, op as Op, awaited.outputs as Outputs);
  const external = {
    ...(awaited.failed ? { externalFailed: awaited.failed } : {}),
    ...(awaited.unasked ? { resumeAt: world.clock.now() + untilNextRound(run.round) } : {}),
  };
  const once = { ...onceCarried(outcome.resources), ...onceGiven(job, given) };
  const result: LineResult = {
    ...seen,
    drift: [...seen.drift, ...(await unmanagedBeside(job, outcome))],
    status: outcome.outcome,
    outputs: stored.outputs,
    notes: { ...outcome.notes, ...withheldOutputs(stored.withheld), ...ignoredNote(outcome.resources), ...leftNote(job, outcome.resources) },
    ...external,
    ...(Object.keys(once).length > 0 ? { once } : {}),
  };
  return { result, secret: stored.secret };
}

/** Outputs that an earlier round of this run was given once, for lines that waited for something else: while they are what was given last. */
function keptOnce({ world, run, line, op }: Applying, secrets: RunSecrets, resources: readonly Judged[]): Outputs {
  const { sealed } = line as RunLine;
  const carried = Object.entries(onceCarried(resources));
  if (sealed === undefined || carried.length === 0) return {};
  const outputs = openSealed(world, secrets, { run: run.id, spec: line.spec, sealed });
  const job = { world, op, line };
  const now = onceGiven(job, outputs);
  return Object.fromEntries(carried.flatMap(([name, of]) => (now[name] && compare(now[name], of) === 'same' ? [[name, outputs[name] as Scalar]] : [])));
}

/** What the line would do now is not among what was approved for it: it writes nothing, and the run is planned again (P7). */
async function moved({ world, run, line }: Applying): Promise<JobAnswer> {
  await recordStale(world, run, line.spec.id, 'drift');
  const message = `What line ${line.spec.id} would do is not what was approved any more.`;
  return { result: { ...nothing, status: 'skipped', moved: true, problem: { code: 'PLAN_STALE', message } } };
}

/** A provisioning poll has an end; a provider's pause is noted where every job reads it after its claim. */
async function putOff(job: Applying, outcome: Extract<ApplyOutcome, { outcome: 'later' }>): Promise<JobAnswer> {
  const { world, line } = job;
  if (outcome.cause === 'pause') {
    await pauseProvider(world, line.spec, world.clock.now() + outcome.seconds * 1000);
    return { later: outcome.seconds };
  }
  const since = (line as RunLine).pollingSince ?? world.clock.now();
  if (world.clock.now() - since > longestPoll)
    return {
      result: {
        ...nothing,
        status: 'failed',
        problem: { code: 'WAIT_TIMEOUT', message: `${outcome.why}, for longer than ${longestPoll / 60_000} minutes.` },
        ...(outcome.notes ? { notes: outcome.notes } : {}),
      },
    };
  return { later: outcome.seconds, pollingSince: since };
}

/** How long a line polls a provider that is at work, ms. */
const longestPoll = 10 * 60_000;
