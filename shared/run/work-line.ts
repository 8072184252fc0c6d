import type { LineMessage } from '../../events/line-message.ts';
import { applyPhaseLine } from '../engine/apply-job.ts';
import { withoutSecretNames } from '../engine/effects.ts';
import { isStack, maskProblem } from '../engine/line-call.ts';
import { planPhaseLine } from '../engine/plan-job.ts';
import { planRemovalLine } from '../engine/plan-removal.ts';
import { openSecrets, type RunSecrets } from '../engine/run-secrets.ts';
import { scanPhaseLine } from '../engine/scan-line.ts';
import { openSealed, sealOutputs } from '../engine/sealed-outputs.ts';
import { applyStackLine } from '../engine/stack-apply.ts';
import { hasBegunTool } from '../engine/stack-run.ts';
import { undoPhaseLine } from '../engine/undo-job.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { ParentBusy } from '../lease/parent-lock.ts';
import { LedgerMoved } from '../ledger/ledger-line.ts';
import type { Scalar } from '../plan/types.ts';
import { AnswerLost } from '../ports/table.ts';
import { redeployFailed } from '../redeploys/redeploy-failed.ts';
import { redeployLine } from '../redeploys/redeploy-job.ts';
import { Again } from './again.ts';
import { isCancelled } from './cancel.ts';
import type { JobAnswer, LineResult, Run, RunLine } from './items.ts';
import { maskedResult } from './masked-result.ts';
import { queueLines, tail } from './phase.ts';
import { isRemoval, type LineStatus } from './report.ts';
import { claimLine, readRun, readRunLine, saveLine, savePlannedLine } from './run-store.ts';
import { stopIfFailed } from './stop.ts';
import type { World } from './world.ts';

/** How many seconds a job may be put off while its run holds a lease: a third of the TTL, and what SQS delays at most. */
const longestDelay = ({ timing }: World, { leaseTtlMs = timing.leaseTtl }: Run): number => Math.min(900, Math.floor(leaseTtlMs / 3000));

/**
 * One line of one run: the five steps of every job (P1). A message of another round or phase is dropped; a line that is
 * final repeats its tail; a live claim of somebody else hands the message back. The run is read after the claim: `stopping`
 * written before then is seen.
 *
 * @throws Again when the message must come back.
 */
export async function workLine(base: World, message: LineMessage): Promise<void> {
  const world = { ...base, seen: new Map<string, Scalar>() };
  const line = await readRunLine(world.table, message.run, message.line);
  if (!line || !isSameWork(line, message)) return;
  const claimed = line.result || line.phase === 'planning' ? line : await claim(world, line);
  const run = await readRun(world.table, message.run);
  if (!claimed || !run || !isSameWork(run, message)) return;
  if (claimed.result) return repeatTail(world, run, claimed, claimed.result);
  const answer = await workOrFree(world, run, claimed);
  if ('later' in answer) return putOff(world, run, claimed, answer);
  await finish(world, run, claimed, answer);
}

const isSameWork = (at: { round: number; phase: string }, message: LineMessage): boolean => at.round === message.round && at.phase === message.phase;

/** The line as claimed; as it is when it became final meanwhile; undefined when it belongs to other work by now. */
async function claim(world: World, line: RunLine): Promise<RunLine | undefined> {
  const answer = await claimLine(world, line);
  if (answer === 'moved') {
    const now = await readRunLine(world.table, line.run, line.spec.id);
    return now?.result && now.round === line.round && now.phase === line.phase ? now : undefined;
  }
  if ('live' in answer) throw new Again(`line ${line.spec.id} is being worked on`, (answer.live - world.clock.now()) / 1000 + 1, 'claimed');
  return answer.claimed;
}

async function repeatTail(world: World, run: Run, line: RunLine, result: LineResult): Promise<void> {
  await stopIfFailed(world, run, line.spec.id, result);
  await tail(world, run, line);
}

/** A job that has to come back gives its claim back at once: the next delivery need not wait for the claim's end. */
async function workOrFree(world: World, run: Run, line: RunLine): Promise<SealedAnswer> {
  try {
    return await work(world, run, line);
  } catch (error) {
    if (error instanceof Again && run.phase !== 'planning') await saveLine(world, line, { until: 0 });
    throw error;
  }
}

/** A job's answer as it may be stored: what is sensitive in it is sealed. */
type SealedAnswer = Exclude<JobAnswer, { result: LineResult }> | { readonly result: LineResult; readonly sealed?: string };

async function work(world: World, run: Run, line: RunLine): Promise<SealedAnswer> {
  try {
    const secrets = await openSecrets(world, run);
    const answer = await jobOf(world, run, line)(world, run, line, secrets).catch((error: unknown) => failed(world, run, line, error));
    return 'later' in answer ? answer : { result: answer.result, ...sealedOf(world, secrets, line, answer.secret) };
  } catch (error) {
    return failed(world, run, line, error);
  }
}

function jobOf(base: World, run: Run, line: RunLine): (world: World, run: Run, line: RunLine, secrets: RunSecrets) => Promise<JobAnswer> {
  if (run.phase === 'planning') return isRemoval(run.kind) ? planRemovalLine : run.kind === 'drift' ? scanPhaseLine : planPhaseLine;
  // A removal that a person stops takes nothing more away; what a failed run created is undone in any case (P1).
  if (run.phase === 'applying' && isRemoval(run.kind) && isCancelled(run)) return stopRemoval;
  if (run.phase === 'rolling-back' || isRemoval(run.kind)) return undoPhaseLine;
  if (line.spec.redeploy) return redeployLine;
  return isStack(base, line.spec) ? applyStackLine : applyPhaseLine;
}

/** Nothing more goes. A tool that is at work is ended, and says how far it came. */
async function stopRemoval(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  if (line.spec.stack && (await hasBegunTool(world, run, line))) return undoPhaseLine(world, run, line, secrets);
  return { result: { ...nothing, status: 'skipped' } };
}

/**
 * What a job's error makes of its line.
 *
 * @throws Again when the job must come back.
 */
function failed(world: World, run: Run, line: RunLine, error: unknown): JobAnswer {
  if (error instanceof Again) throw error;
  if (error instanceof ParentBusy) return parentBusy(world, run, line, error);
  if (error instanceof LedgerMoved || error instanceof AnswerLost) throw new Again(error.message, 1);
  const problem = maskProblem(world, problemOf(error));
  if (problem.code === 'STORE_UNREACHABLE') throw new Again(problem.message, 2);
  if (problem.code === 'PROVIDER_AGAIN') return { later: secondsUntil(world, problem) };
  if (problem.code === 'INTERNAL') world.log.error('a job failed unexpectedly', { run: run.id, line: line.spec.id, problem });
  return { result: line.spec.redeploy ? redeployFailed(line.spec, problem.message) : { ...nothing, status: failedStatus(run), problem } };
}

/** Seconds between two looks at a lock, and how long a line waits for one, ms: far longer than any attempt holds it. */
const betweenLooks = 2;
const longestWaitForParent = 10 * 60_000;

/** Another line writes the same object: the job comes back, which is no failure, unless that has no end (R1.94). */
function parentBusy(world: World, run: Run, line: RunLine, { holder }: ParentBusy): JobAnswer {
  const since = line.pollingSince ?? world.clock.now();
  if (world.clock.now() - since <= longestWaitForParent) return { later: betweenLooks, pollingSince: since };
  const message = `The object that line ${line.spec.id} writes a part of has been locked by others for ${longestWaitForParent / 60_000} minutes, last by ${holder}.`;
  return { result: { ...nothing, status: failedStatus(run), problem: { code: 'LOCK_HELD', message } } };
}

/** How long a provider wants to be left alone, seconds. */
function secondsUntil(world: World, problem: Problem): number {
  const at = problem.details?.['at'];
  return typeof at === 'number' ? Math.ceil((at - world.clock.now()) / 1000) : 5;
}

const nothing = { changes: [], outputs: {} } as const;

function failedStatus(run: Run): LineStatus {
  if (run.phase === 'planning') return 'error';
  if (run.phase === 'rolling-back') return 'rollback_failed';
  return isRemoval(run.kind) ? 'destroy_failed' : 'failed';
}

/** The job comes back as a delayed message; its claim ends now. A wait longer than a third of the TTL ends the line (P3). */
async function putOff(world: World, run: Run, line: RunLine, answer: { later: number; pollingSince?: number }): Promise<void> {
  const seconds = Math.max(1, answer.later);
  if (seconds > longestDelay(world, run)) return finish(world, run, line, { result: notNow(world, run, seconds) });
  const polling = answer.pollingSince === undefined ? {} : { pollingSince: answer.pollingSince };
  if (run.phase === 'planning' || (await saveLine(world, line, { until: 0, ...polling }))) await queueLines(world, run, [line.spec.id], seconds);
}

/** An apply waits for the provider and is resumed. What is undone has no later round of its own: it says what it left. */
function notNow(world: World, run: Run, seconds: number): LineResult {
  if (run.phase === 'applying' && run.kind === 'apply')
    return { ...nothing, status: 'waiting', waitingFor: 'provider', resumeAt: world.clock.now() + seconds * 1000 };
  return { ...nothing, status: failedStatus(run), problem: { code: 'PROVIDER_AGAIN', message: `The provider asks to be left alone for ${seconds} s.` } };
}

/** Result, then stop, then tail. A death in between is made good by the next delivery: the end of the phase is judged by the lines. */
async function finish(world: World, run: Run, line: RunLine, answer: { result: LineResult; sealed?: string }): Promise<void> {
  const result = masked(world, answer.result);
  const change = { ...answer, result };
  const saved = run.phase === 'planning' ? await savePlannedLine(world, line, change) : await saveLine(world, line, change);
  if (!saved && run.phase !== 'planning') return;
  await repeatTail(world, run, line, result);
}

/**
 * Sensitive outputs that the job saw go with the result, also of one that failed: no other job knows what it must mask. With them what
 * lies there already: an output that was given once is given by nobody again.
 */
function sealedOf(world: World, secrets: RunSecrets, line: RunLine, needed: Extract<JobAnswer, { result: LineResult }>['secret']): { sealed?: string } {
  const seen = Object.fromEntries(world.seen ?? []);
  if (needed === undefined && Object.keys(seen).length === 0) return {};
  return { sealed: sealOutputs(secrets.ofOutputs, line.run, line.spec.id, needed ?? { ...openSealed(world, secrets, line), ...seen }) };
}

/**
 * A result as it may be stored. Outputs stay: those that carry a secret have been taken out, and other lines need the rest as it is. An effect whose
 * very name carries one is left out.
 */
function masked(world: World, result: LineResult): LineResult {
  const { effects, seen } = result;
  const named = {
    ...(effects ? { effects: withoutSecretNames(world, effects) } : {}),
    ...(seen ? { seen: withoutSecretNames(world, seen) } : {}),
  };
  return { ...maskedResult(world, result), ...named };
}
