import { enterLease } from '../lease/lease.ts';
import { largestLine, readLedgerLine } from '../ledger/ledger-line.ts';
import { splitReference } from '../plan/references.ts';
import { isRechecking, type JobAnswer, type LineResult, namesEffects, type Run, type RunLine } from '../run/items.ts';
import type { PlannedStatus } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { acceptedNote, driftOf } from './apply-line.ts';
import { type Awaited, awaitOutputs } from './await-external.ts';
import type { WriteGuard } from './bind.ts';
import { acceptedOf, effectsOf, seenOf } from './effects.ts';
import { ignoredNote, notLookedAt } from './ignored.ts';
import { failedInput, readNeeds, resolveLine } from './inputs.ts';
import { inspect, secretInKey, shownChanges, withBegun } from './inspect.ts';
import type { Inspecting, Inspection } from './inspecting.ts';
import { unrestorable } from './judge.ts';
import { callFor } from './line-call.ts';
import { namesOf, namesOfUnnamed } from './names.ts';
import { onceCarried } from './once.ts';
import { storeOutputs } from './outputs.ts';
import { parentOf } from './parent.ts';
import { planAction, planStep } from './plan-deed.ts';
import { leaves } from './resolve.ts';
import { rotationNote } from './rotation.ts';
import type { RunSecrets } from './run-secrets.ts';
import { asRepaired, scannedOf } from './scanned.ts';
import { withheldOutputs } from './secret-in-identity.ts';
import { stackBeside } from './stack-beside.ts';
import { isAtWork, planStack, waitingStack } from './stack-plan.ts';
import { isBeside, leftBeside, leftNote } from './ticked-line.ts';
import { keepEdited, nothingToAccept } from './to-accept.ts';
import { keepShown, nothingToAdopt, takesOver } from './to-adopt.ts';
import { unmanaged } from './unmanaged.ts';
import { unnamedChanges, unnamedEffects } from './unnamed.ts';
import { pendingIn } from './value.ts';

const nothing = { changes: [], outputs: {} } as const;

/** A plan writes nothing to a provider: a request that would is a mistake of the op (I4, R1.41). */
export const writesNothing: WriteGuard = {
  beforeWrite() {
    throw new Error('a plan tried to write to a provider');
  },
};

/** Asked once everything has been read: whether what was read says anything. */
export type Counts = () => Promise<boolean>;

/**
 * One line of a plan: what an apply would do to it, judged the same way. Needs no claim: it may run twice (P1).
 *
 * @param counts of a scan. Absent: it does.
 */
export async function planPhaseLine(world: World, run: Run, line: RunLine, secrets: RunSecrets, counts?: Counts): Promise<JobAnswer> {
  if (run.stopping && !isAtWork(line)) return { result: { ...nothing, status: 'skipped' } };
  const { deferred } = line.spec;
  if (deferred !== undefined) return { result: { ...nothing, status: 'pending', waitingFor: 'the merge', notes: { 'planned after merge': deferred } } };
  // Renewed by every job, as in an apply. One that was lost is the guard's to find: what is planned here is not applied without it.
  if (isRechecking(run)) await enterLease(world, runScope(run), run.id);
  const needs = await readNeeds(world, run, line);
  if (needs.state === 'dead') return { result: { ...nothing, status: 'blocked', problem: needs.problem } };
  const params = resolveLine(world, run, line, needs.state === 'ready' ? needs.lines : [], secrets);
  const { op, call } = await callFor(world, run, line, secrets, writesNothing);
  const pending = leaves(params).filter((leaf) => leaf.value.kind === 'pending');
  const aside = isBeside(run, line);
  const scope = runScope(run);
  if (aside && op.stack) return stackBeside({ world, run, scope, line, op, call, params, ledger: undefined, parent: undefined, secrets }, op.stack);
  if (aside && (op.manual || op.action || pending.length > 0)) return { result: leftBeside };
  const keyPending = pending.find((leaf) => op.keyParams.includes(leaf.path.split('.')[0] as string));
  const missing = leaves(params).find((leaf) => leaf.value.kind === 'unresolved');
  if (missing?.value.kind === 'unresolved') {
    const why = secrets.failures[missing.value.ref] ?? `${missing.value.ref} has no value`;
    return { result: { ...nothing, status: 'blocked', problem: { code: 'SECRET_UNRESOLVED', message: `${missing.path}: ${why}.` } } };
  }
  const failed = failedInput(params, needs.state === 'ready' ? needs.lines : []);
  if (failed) return { result: { ...nothing, status: 'blocked', problem: failed } };
  if (op.stack && pending[0]) {
    const refs = pending.flatMap((leaf) => pendingIn(leaf.value));
    return { result: withoutLook(run, { ...waitingStack({ world, op, call, params, run, line }, op.stack, refs), ...waitOf(refs[0] as string) }) };
  }
  const unready = op.manual || op.action ? pending[0] : keyPending;
  if (unready) return unnamed({ world, op, call, params }, run, line, pendingIn(unready.value)[0] as string);

  const ledger = await readLedgerLine(world.table, scope, line.spec.id);
  const begun = withBegun(call, ledger);
  const job: Inspecting = { world, run, scope, line, op, call: begun, params, ledger, parent: parentOf(world, op, params, begun) };
  const noResource = op.manual || op.action || op.stack ? (nothingToAdopt(job, []) ?? nothingToAccept(job)) : undefined;
  if (noResource) return { result: { ...nothing, status: 'blocked', problem: noResource } };
  if (op.manual) return { result: fittingIn(run, line, withoutLook(run, await planStep(job, op.manual))) };
  if (op.action) return { result: fittingIn(run, line, withoutLook(run, await planAction(job, op.action))) };
  if (op.stack) return planStack({ ...job, line, secrets }, op.stack, counts);
  const inspection = await inspect(job);
  return answerOf(
    job,
    inspection,
    pending.flatMap((leaf) => pendingIn(leaf.value)),
    await (counts?.() ?? true),
  );
}

/** Nothing of the line can be looked for. A gated run asks about what it would create, each name with what it waits for in it (R1.36). */
function unnamed(job: Pick<Inspecting, 'world' | 'op' | 'call' | 'params'>, run: Run, line: RunLine, ref: string): JobAnswer {
  if (!namesEffects(run)) return { result: { ...nothing, status: 'pending', ...waitOf(ref) } };
  const changes = unnamedChanges(job);
  const problem = secretInKey(job.world, changes);
  if (problem) return { result: { ...nothing, status: 'blocked', problem } };
  const shown = { changes: shownChanges(changes.map((change) => ({ change }))), effects: unnamedEffects(job, changes), names: namesOfUnnamed(job, changes) };
  return { result: fitting(line, withoutLook(run, { ...nothing, ...shown, status: 'pending', ...waitOf(ref) }, ref)) };
}

const fittingIn = (run: Run, line: Pick<RunLine, 'spec'>, result: LineResult): LineResult => (namesEffects(run) ? fitting(line, result) : result);

/** Of what nobody can look at a scan says so, and what is to be done: never that it is as it should be. */
const withoutLook = (run: Run, result: LineResult, waits?: string): LineResult =>
  run.kind === 'drift' && !result.problem
    ? { ...result, scanned: { looked: 'cannot', resources: [], deeds: result.effects ?? [], ...(waits === undefined ? {} : { waits }) } }
    : result;

/** What is asked about is kept in the line's item, and stays there when it is applied. */
function fitting({ spec }: Pick<RunLine, 'spec'>, result: LineResult): LineResult {
  const size = Buffer.byteLength(JSON.stringify([spec.params, result.changes, result.effects, result.seen, result.scanned]));
  if (size <= largestLine) return result;
  const message = `What line ${spec.id} would do takes ${Math.ceil(size / 1024)} KB; a line holds ${largestLine / 1024} KB.`;
  return { ...nothing, status: 'blocked', problem: { code: 'LINE_TOO_LARGE', message } };
}

const waitOf = (ref: string) => ({ waitingOn: splitReference(ref).line, waitingFor: ref });

async function answerOf(job: Inspecting, found: Inspection, pending: readonly string[], counts: boolean): Promise<JobAnswer> {
  const { world, run, line, op } = job;
  // What nobody has merged, and what counts for nothing, shows nothing that a person could later give their word about.
  if (!run.options.afterMerge && counts) {
    await keepShown(job, found);
    await keepEdited(job, found);
  }
  const inspection = run.kind === 'drift' ? asRepaired(found) : found;
  const awaited = await awaitedBy(job, inspection);
  const stored = storeOutputs(world, line.spec, op, awaited.outputs);
  const drift = [...driftOf(inspection.resources), ...(await unmanaged(job, inspection))];
  const wait = pending[0] === undefined ? {} : waitOf(pending[0]);
  const result: LineResult = {
    status: statusOf(inspection, pending.length > 0),
    changes: shownChanges(inspection.resources),
    ...(inspection.refusal ? {} : gatedEffects(job, inspection)),
    outputs: stored.outputs,
    ...(line.spec.account ? {} : { account: job.call.identity }),
    ...(inspection.refusal ? {} : { names: namesOf(inspection.resources) }),
    drift,
    ...(run.kind === 'drift' && !inspection.refusal ? { scanned: scannedOf(job, inspection) } : {}),
    ...(inspection.refusal ? { problem: inspection.refusal } : {}),
    ...(awaited.failed ? { externalFailed: awaited.failed } : {}),
    ...carriedOnce(inspection),
    ...notesOf({
      ...rotationNote(world, inspection.resources),
      ...withheldOutputs(stored.withheld),
      ...acceptedNote(inspection),
      ...ignoredNote(inspection.resources),
      ...reconciledNote(inspection),
      ...adoptedNote(job, inspection),
      ...leftNote(job, inspection.resources),
    }),
    ...wait,
  };
  return { result: counts ? fittingIn(run, line, result) : notSeen(result), secret: stored.secret };
}

/** Other lines still need its outputs; of what it holds nothing is said, and a refusal of what was half done is none. */
function notSeen({ effects: _effects, seen: _seen, drift: _drift, problem, status, ...result }: LineResult): LineResult {
  return { ...result, status: problem ? 'pending' : status, scanned: { looked: 'busy', resources: [] } };
}

const notesOf = (notes: Readonly<Record<string, string>>): Pick<LineResult, 'notes'> => (Object.keys(notes).length === 0 ? {} : { notes });

/** Effects are kept where people are asked about them: of a refused line never, whose names may be the reason. */
function gatedEffects(job: Inspecting, inspection: Inspection): Pick<LineResult, 'effects' | 'seen' | 'accepted' | 'ignored'> {
  if (!namesEffects(job.run)) return {};
  const { resources } = inspection;
  const [seen, accepted, ignored] = [seenOf(job, resources), acceptedOf(job, inspection), notLookedAt(job, resources)];
  return {
    effects: effectsOf(job, resources),
    ...(seen.length > 0 ? { seen } : {}),
    ...(accepted.length > 0 ? { accepted } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
  };
}

/**
 * What an outside event has given so far (R1.35). Of a line that would write, nothing: the event is still to come then, for what is written. An
 * approval of its present outputs would be one of what is about to be replaced.
 */
async function awaitedBy(job: Inspecting, { reading, resources, refusal }: Inspection): Promise<Awaited> {
  const writes = resources.some(({ verdict }) => verdict.do === 'create' || verdict.do === 'update' || verdict.do === 'replace');
  return writes || refusal ? { outputs: reading.outputs } : awaitOutputs(job, reading.outputs);
}

/** What a line gave when it was made, for the lines that were written with it. */
function carriedOnce({ resources }: Inspection): Pick<LineResult, 'once'> {
  const once = onceCarried(resources);
  return Object.keys(once).length > 0 ? { once } : {};
}

/** Whoever approves an adoption is told what is taken over, and what of it nothing can put back. */
function adoptedNote({ op, params }: Inspecting, { resources, reading, refusal }: Inspection): Readonly<Record<string, string>> {
  const taken = resources.filter(({ verdict }) => takesOver(verdict));
  if (refusal || taken.length === 0) return {};
  const lost = taken.filter(({ change }) => op.capture?.(change.key, reading, params) === undefined);
  const labels = (some: typeof taken) => some.map(({ change }) => change.label).join(', ');
  const warning = lost.length === 0 ? '' : `. ${labels(lost)}: ${unrestorable(op.adapter)}`;
  return { adopts: `${labels(taken)}, made by somebody else${warning}` };
}

/** What would be put back over somebody's edit: an update like any other to the eye, and no update like any other (R0.11). */
function reconciledNote({ resources }: Inspection): Readonly<Record<string, string>> {
  const back = resources.filter(({ verdict }) => verdict.do === 'update' && verdict.drift?.kind === 'changed').map(({ change }) => change.label);
  return back.length === 0 ? {} : { reconciles: `${back.join(', ')}: edited outside, and would be put back` };
}

/** Precedence of R1.37: refused, pending, then what would be written. */
function statusOf(inspection: Inspection, pending: boolean): PlannedStatus {
  if (inspection.refusal) return 'blocked';
  if (pending) return 'pending';
  const verdicts = inspection.resources.map((resource) => resource.verdict.do);
  if (inspection.resources.some(({ verdict }) => verdict.do === 'update' && verdict.adopts)) return 'adopt';
  if (verdicts.includes('create') || verdicts.includes('replace')) return 'create';
  return verdicts.includes('update') ? 'update' : 'unchanged';
}
