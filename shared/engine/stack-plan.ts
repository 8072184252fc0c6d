import { isWrite } from '../approvals/effect.ts';
import type { Problem } from '../errors/error.ts';
import type { Entry } from '../ledger/entry.ts';
import { largestLine } from '../ledger/ledger-line.ts';
import { type JobAnswer, type KeptObject, type LineResult, namesEffects, type RunLine } from '../run/items.ts';
import type { PlannedStatus } from '../run/report.ts';
import { keepObject, savedPlansPrefix } from '../stacks/kept-object.ts';
import { isOpen } from '../stacks/tool-record.ts';
import type { StackPlan } from '../stacks/tool-work.ts';
import { entryOf, standing } from './evidence.ts';
import type { Inspecting } from './inspecting.ts';
import type { StackOp } from './op.ts';
import type { RunSecrets } from './run-secrets.ts';
import { secretInIdentity } from './secret-in-identity.ts';
import { inStack, stackChanges, stackEffects, waitingHead } from './stack-effects.ts';
import { givenTo, lookOf, type StackInHand, stackIdentity, stackOfOther, stackRequest, unready, whereToolsRun } from './stack-job.ts';
import { missingOutputs, storeStackOutputs } from './stack-outputs.ts';
import { failureProblem, lostProblem } from './stack-problem.ts';
import { stackDrift, stackNames, stackResult } from './stack-result.ts';
import { runForPlan } from './stack-run.ts';
import { scannedStack, toldOf } from './stack-scanned.ts';

/** Whether a job of the line may still be running: of a run that is stopped it is ended, and not left alone. */
export const isAtWork = ({ tool }: Pick<RunLine, 'tool'>): boolean => isOpen(tool);

const nothing = { changes: [], outputs: {} } as const;

/** A stack's line as it is worked on. */
export interface StackPlanning extends Inspecting {
  readonly line: RunLine;
  readonly secrets: RunSecrets;
}

/** The stack that a line stands for, as its parameters have it. */
export function inHand(job: Pick<StackPlanning, 'op' | 'call' | 'params' | 'run' | 'line'>, stackOp: StackOp): StackInHand {
  const stack = stackOp.of(job.params);
  return { stack, identity: stackIdentity(job.op.adapter, job.call.identity, stack), given: givenTo(job.line.spec), commit: job.run.commit, masks: [] };
}

/**
 * A stack in a plan: its tool plans it, in a job that writes nothing, and the plan is kept where people are asked about it, or may be. One of a recheck
 * that holds is run by nobody: what was approved is what runs (R4.5). In a scan it takes no lock, and looks for drift right after its plan (R2.7, R2.8);
 * where that fails, what it told all the same is kept (R3.23).
 *
 * @param counts of a scan: whether what was seen counts, asked once it has been.
 */
export async function planStack(job: StackPlanning, stackOp: StackOp, counts?: () => Promise<boolean>): Promise<JobAnswer> {
  const { world, run, line } = job;
  const hand = inHand(job, stackOp);
  const problem = secretInIdentity(world, 'The name of a stack', [hand.identity.key]) ?? unready(job, hand);
  if (problem) return { result: { ...nothing, status: 'blocked', problem } };
  const isScan = run.kind === 'drift';
  // What nobody has merged keeps nobody from the stack.
  const lock = !isScan && run.options.afterMerge !== true;
  const request = stackRequest(job, hand, { do: 'plan', lock, ...lookOf(isScan || run.options.ticked !== undefined) });
  const ran = await runForPlan(job, line, request);
  if ('later' in ran) return ran;
  if (request.ends) return { result: { ...nothing, status: 'skipped' } };
  if ('lost' in ran) return { result: { ...nothing, status: 'error', problem: lostProblem(ran.lost) } };
  const at = { run: run.id, line: line.spec.id };
  const { outcome } = ran;
  const told = await stackResult(world, at, hand, outcome);
  if (outcome.did === 'failed') {
    // A preview that failed has nothing checked beside it; where it succeeded it is the check that failed (R2.9).
    const status = isScan && outcome.planned === undefined ? 'blocked' : 'error';
    const scanned = isScan ? { scanned: { looked: 'busy', resources: [], stack: toldOf(outcome.drift ?? []) } as const } : {};
    return { result: withRoom(job, { ...nothing, status, problem: failureProblem(outcome), ...told, ...scanned }) };
  }
  if (outcome.did === 'applied') return { result: { ...nothing, status: 'error', problem: applied, ...told } };
  const answer = await plannedAnswer(job, hand, outcome.plan, told);
  if (!isScan || !('result' in answer) || answer.result.problem) return answer;
  const seen = (await (counts?.() ?? true)) ? scannedStack(hand.identity, outcome.plan, line.spec.ignores ?? []) : notSeen;
  return { ...answer, result: fitting(job, { ...answer.result, scanned: seen }) };
}

const notSeen = { looked: 'busy', resources: [] } as const;

const applied = { code: 'INTERNAL', message: 'A job that was to plan says that it has applied.' } as const;

async function plannedAnswer(job: StackPlanning, hand: StackInHand, plan: StackPlan, told: Pick<LineResult, 'stack'>): Promise<JobAnswer> {
  const { world, run, line, op } = job;
  const { identity } = hand;
  const { effects, seen } = stackEffects(identity, plan);
  const writes = effects.some(isWrite);
  const stored = storeStackOutputs(world, op, line.spec, plan.outputs);
  const addresses = plan.changes.map(({ address, previousAddress = '' }) => `${inStack(identity.key, address)} ${previousAddress}`);
  const refused = secretInIdentity(world, 'The name of a resource', addresses) ?? (await (writes ? othersStack(job, hand) : missingOutputs(stored.missing)));
  const stack = { ...told.stack, key: identity.key, version: plan.version };
  if (refused) return { result: { ...nothing, status: 'blocked', problem: refused, stack } };
  const entry = entryOf(job.ledger, identity);
  const saved = writes && run.gated ? await keepPlan(job, plan) : undefined;
  const result: LineResult = {
    ...nothing,
    status: statusOf(plan, entry),
    changes: stackChanges(identity.key, plan),
    outputs: stored.outputs,
    ...(namesEffects(run) ? { effects, ...(seen.length > 0 ? { seen } : {}) } : {}),
    names: stackNames(hand, writes, entry !== undefined),
    drift: stackDrift(line.spec, identity.key, plan.drift),
    stack: { ...stack, ...(saved ? { saved } : {}) },
  };
  return { result: fitting(job, result), secret: stored.secret };
}

/** Nobody is asked about what only its owner may apply. A stack of another scope that is as it is wanted is relied on. */
async function othersStack({ world, run, scope, line, op, ledger }: StackPlanning, { identity, stack }: StackInHand): Promise<Problem | undefined> {
  if (run.kind === 'drift') return undefined;
  const own = { scope, line: line.spec.id };
  const { owner } = await standing(world, { ...own, run: run.id, ledger, predecessor: run.predecessor }, identity);
  return owner.by === 'other' ? stackOfOther(op, stack, identity, owner, own) : undefined;
}

async function keepPlan({ world }: StackPlanning, { saved }: StackPlan): Promise<KeptObject | undefined> {
  if (!saved) return undefined;
  return keepObject(whereToolsRun(world), `${savedPlansPrefix}${saved.sha256}/`, world.ids.fresh(), Buffer.from(saved.bytes, 'base64'));
}

/** Named for what becomes of the stack itself, which stays, whatever of it goes: a first apply creates it. */
function statusOf({ changes }: Pick<StackPlan, 'changes'>, entry: Entry | undefined): PlannedStatus {
  const done = new Set(changes.flatMap(({ actions, previousAddress }) => [...actions, ...(previousAddress === undefined ? [] : ['move'])]));
  for (const idle of ['none', 'read']) done.delete(idle);
  if (done.size === 0) return 'unchanged';
  return done.size === 1 && done.has('create') && entry?.stack?.state === undefined ? 'create' : 'update';
}

/** Nothing of a stack can be planned while a variable of it waits for another line: people see that it waits, and are asked about it when it can. */
export function waitingStack(
  job: Pick<StackPlanning, 'world' | 'op' | 'call' | 'params' | 'run' | 'line'>,
  stackOp: StackOp,
  waitsFor: readonly string[],
): LineResult {
  const hand = inHand(job, stackOp);
  const shown = namesEffects(job.run) ? { effects: [waitingHead(hand.identity, waitsFor)] } : {};
  return { ...nothing, status: 'pending', ...shown, names: stackNames(hand, true, false) };
}

/** Why a plan failed is told in any case; what was found beside it, where an item has room for it. */
function withRoom({ line: { spec } }: StackPlanning, result: LineResult): LineResult {
  const { scanned: _scanned, ...rest } = result;
  return Buffer.byteLength(JSON.stringify([spec, result])) <= largestLine ? result : { ...rest, ...(result.scanned ? { scanned: notSeen } : {}) };
}

/** What is asked about is kept in the line's item, and stays there when it is applied. */
function fitting({ line: { spec } }: StackPlanning, result: LineResult): LineResult {
  const size = Buffer.byteLength(JSON.stringify([spec.params, result.changes, result.effects, result.seen, result.scanned, result.drift]));
  if (size <= largestLine) return result;
  const message = `What the stack of line ${spec.id} would do takes ${Math.ceil(size / 1024)} KB; a line holds ${largestLine / 1024} KB.`;
  return { ...nothing, status: 'blocked', problem: { code: 'LINE_TOO_LARGE', message }, ...(result.stack ? { stack: result.stack } : {}) };
}
