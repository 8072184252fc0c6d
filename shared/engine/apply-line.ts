import { amongApproved } from '../approvals/effect.ts';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import { utc } from '../errors/moment.ts';
import { takeClaim } from '../ledger/claim.ts';
import type { Entry } from '../ledger/entry.ts';
import { endAcceptance } from '../rulings/acceptance.ts';
import type { DriftItem } from '../run/report.ts';
import { readRunLine } from '../run/run-store.ts';
import type { Applying } from './applying.ts';
import { beginWrites } from './begin-writes.ts';
import { effectsOf, givenOutputs } from './effects.ts';
import { inheritEntry } from './inherit.ts';
import { entryFor, inspect, reconciles, registerOutputs } from './inspect.ts';
import type { Inspection, Judged } from './inspecting.ts';
import { forgetIntent } from './intents.ts';
import { carries, onceGiven, onceInputs, onceValues } from './once.ts';
import type { Applied, Outputs } from './op.ts';
import { ownedByOther } from './owned-by-other.ts';
import { underParentLock } from './parent.ts';
import { begunReplacement, isReplaced, removeReplaced } from './replace.ts';
import { rotationNote } from './rotation.ts';
import { saveEntries } from './save-entries.ts';
import { withheldIds } from './secret-in-identity.ts';
import { keepEdited } from './to-accept.ts';
import { keepShown } from './to-adopt.ts';

/** What applying came to. `later`: the provider is still at it, or asked to come back. */
export type ApplyOutcome =
  | {
      readonly outcome: 'applied' | 'unchanged';
      readonly resources: readonly Judged[];
      readonly outputs: Outputs;
      readonly notes: Readonly<Record<string, string>>;
    }
  | { readonly outcome: 'refused'; readonly resources: readonly Judged[]; readonly problem: Problem }
  | { readonly outcome: 'failed'; readonly resources: readonly Judged[]; readonly problem: Problem; readonly notes?: Readonly<Record<string, string>> }
  | { readonly outcome: 'moved' }
  | {
      readonly outcome: 'later';
      readonly cause: 'provisioning' | 'pause';
      readonly seconds: number;
      readonly why: string;
      readonly notes?: Readonly<Record<string, string>>;
    };

/**
 * Makes one line real (P4):
 *
 *     inspect ─▶ judge ─▶ claim each identity ─▶ intents into the ledger ─▶ provider ─▶ record
 *
 * A death between any two leaves what the next attempt needs: a claim without entry is taken again, an intent is looked
 * for at the provider, a record makes the line unchanged. What would write a part of another object does all of it once more under
 * that object's lock, which is taken after everything that is waited for (R1.54).
 *
 * @throws ParentBusy
 */
export async function applyLine(job: Applying): Promise<ApplyOutcome> {
  const seen = await inspect(job);
  if (job.parent === undefined || seen.refusal || !seen.resources.some(isWrite)) return applyInspected(job, seen);
  const parent = { adapter: job.op.adapter, account: job.call.identity, key: job.parent };
  return underParentLock(job.world, parent, job.attempt, async () => applyInspected(job, await inspect(job)));
}

async function applyInspected(job: Applying, inspection: Inspection): Promise<ApplyOutcome> {
  const approved = job.line.spec.approved;
  if (approved && (inspection.refusal || !amongApproved(effectsOf(job, inspection.resources), approved, givenOutputs(job)))) return { outcome: 'moved' };
  if (inspection.refusal) return refusedBy(job, inspection, inspection.refusal);
  await keepWord(job, inspection);
  const ready = await inheritRenamed(job, inspection.resources);
  const claimed = await claimAll(ready, inspection.resources);
  if (claimed.problem) return { outcome: 'refused', resources: inspection.resources, problem: claimed.problem };
  const writes = inspection.resources.filter(isWrite);
  if (writes.length === 0) return recordSeen(ready, inspection, claimed.relied);
  if (writes.some(isReplaced)) return applyAnew(ready, inspection, claimed.relied);
  return writeAndRecord(ready, inspection, writes, claimed.relied);
}

/** An acceptance is of what its run has found; one of a line that is put back ends before the line is written. */
async function keepWord(job: Applying, inspection: Inspection): Promise<void> {
  const { world, scope, run, line, guard } = job;
  const ends = reconciles(run, line.spec.id);
  if (!ends && !inspection.accepted) return;
  guard.beforeWrite(world.timing.storeTimeout);
  await (ends ? endAcceptance(world, scope, run.id, line.spec.id) : keepEdited(job, inspection));
}

/** What is to be made anew goes first; then the line is looked at once more, and what is missing is made. */
async function applyAnew(job: Applying, inspection: Inspection, relied: ReadonlySet<string>): Promise<ApplyOutcome> {
  let removed: Applying;
  try {
    removed = await removeReplaced(job, inspection.resources);
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    return failed(job, inspection.resources, error.problem);
  }
  const again = await inspect(removed);
  if (again.refusal) return refusedBy(removed, again, again.refusal);
  if (again.resources.some(isReplaced)) return { outcome: 'later', cause: 'provisioning', seconds: 2, why: 'what is to be made anew is still being deleted' };
  return writeAndRecord(removed, again, again.resources.filter(isWrite), relied);
}

async function refusedBy(job: Applying, inspection: Inspection, problem: Problem): Promise<ApplyOutcome> {
  await keepShown(job, inspection);
  await keepEdited(job, inspection);
  return { outcome: 'refused', resources: inspection.resources, problem };
}

const isWrite = (resource: Judged): boolean => resource.verdict.do === 'create' || resource.verdict.do === 'update' || isReplaced(resource);
const needsClaim = (resource: Judged): boolean =>
  isWrite(resource) || resource.verdict.do === 'adopt' || resource.verdict.do === 'own' || resource.verdict.do === 'refresh';

/** What a line says that was left as it is because a person has accepted it. */
export function acceptedNote({ accepted, resources }: Inspection): Readonly<Record<string, string>> {
  if (!accepted) return {};
  const { until, by, reason } = accepted;
  const others = resources.filter(({ verdict }) => verdict.do === 'leave' && !verdict.drift?.accepted && !verdict.ignored).map(({ change }) => change.label);
  const unwritten = others.length === 0 ? '' : `; until then this is not written either: ${others.join(', ')}`;
  return { accepted: `left as it is until ${utc(until ?? '')}, as ${by.name} accepted it: ${reason}${unwritten}` };
}

/** The drift a line met, apart from its changes. */
export const driftOf = (resources: readonly Judged[]): DriftItem[] =>
  resources.flatMap(({ verdict }) => ('drift' in verdict && verdict.drift ? [verdict.drift] : []));

async function inheritRenamed(job: Applying, resources: readonly Judged[]): Promise<Applying> {
  let ledger = job.ledger;
  for (const resource of resources) {
    if (resource.standing.inherited) ledger = await inheritEntry({ ...job, ledger }, resource, resource.standing.inherited);
  }
  return { ...job, ledger };
}

/** Claims every identity that is about to be written or recorded. What turns out to be somebody else's is relied on, or refused. */
async function claimAll(job: Applying, resources: readonly Judged[]): Promise<{ relied: ReadonlySet<string>; problem?: Problem }> {
  const relied = new Set<string>();
  const isIdle = async (line: string) => (await readRunLine(job.world.table, job.run.id, line)) === undefined;
  for (const resource of resources.filter(needsClaim)) {
    job.guard.beforeWrite(job.world.timing.storeTimeout);
    const answer = await takeClaim(job.world, resource.identity, job.scope, job.line.spec.id, isIdle);
    if (answer.ours) continue;
    if (!isWrite(resource)) {
      relied.add(resource.change.key);
      continue;
    }
    const { scope, line } = answer.owner;
    return { relied, problem: ownedByOther(job.op, resource.change, { scope, line }, { scope: job.scope, line: job.line.spec.id }) };
  }
  return { relied };
}

/** Nothing is to be written: records what was found as wanted and not yet known so. */
async function recordSeen(job: Applying, inspection: Inspection, relied: ReadonlySet<string>): Promise<ApplyOutcome> {
  const seen = inspection.resources.flatMap((resource) => seenEntry(job, resource, relied) ?? []);
  if (seen.length > 0) await saveEntries(job, seen);
  const finished = inspection.resources.some((resource) => resource.verdict.do === 'own' || isSentUpdate(job, resource));
  const outcome = finished ? 'applied' : 'unchanged';
  return { outcome, resources: inspection.resources, outputs: inspection.reading.outputs, notes: acceptedNote(inspection) };
}

/** The entry of a resource that is as wanted: found for the first time, ours from an interrupted create, or changed in what was recorded. */
function seenEntry(job: Applying, resource: Judged, relied: ReadonlySet<string>): Entry | undefined {
  const { verdict, live, standing, change } = resource;
  if (!live || relied.has(change.key)) return undefined;
  if (verdict.do === 'adopt') return entryFor(job, resource, live, 'adopted', job.tenure.fence);
  if (verdict.do === 'own') return entryFor(job, resource, live, 'lockkeeper', job.tenure.fence);
  const inputs = onceInputs(job);
  if (verdict.do === 'nothing' && standing.entry && inputs && !carries(standing.entry, inputs))
    return { ...standing.entry, onceInputs: inputs, onceValues: onceValues(job, standing.entry) };
  if (verdict.do !== 'refresh' || !standing.entry) return undefined;
  const replaced = standing.entry.id !== undefined && standing.entry.id !== live.id;
  return entryFor(job, resource, live, replaced ? 'adopted' : standing.entry.createdBy, job.tenure.fence);
}

/** An update that an earlier attempt of this run sent, and died before it recorded. */
const isSentUpdate = ({ run }: Applying, { verdict, standing: { entry } }: Judged): boolean =>
  verdict.do === 'refresh' && entry?.foretells !== undefined && entry.updatedBy === run.id;

async function writeAndRecord(job: Applying, inspection: Inspection, writes: readonly Judged[], relied: ReadonlySet<string>): Promise<ApplyOutcome> {
  const begun = await beginWrites(job, inspection, writes);
  const changes = writes.map((resource) => resource.change);
  let applied: Applied;
  try {
    applied = await job.op.apply(job.params, inspection.reading, changes, job.call);
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    const anew = replacing(job, writes);
    if (anew.length > 0 && isLocked(error.problem))
      return { outcome: 'later', cause: 'provisioning', seconds: 5, why: stillDeleting(error.problem), notes: deletedNote(anew) };
    const outcome = await failed(begun, inspection.resources, error.problem);
    return anew.length > 0 && outcome.outcome === 'failed' ? { ...outcome, notes: deletedNote(anew) } : outcome;
  }
  if (!applied.done) return { outcome: 'later', cause: 'provisioning', seconds: applied.seconds, why: applied.why };
  registerOutputs(job, applied.outputs);
  await record(begun, inspection, applied, relied);
  return {
    outcome: 'applied',
    resources: inspection.resources,
    outputs: { ...inspection.reading.outputs, ...applied.outputs },
    notes: { ...notesOf(job, writes, applied), ...rotationNote(job.world, writes), ...withheldIds(job.world, applied.resources) },
  };
}

/** What is to be made of what this run has deleted, by label. */
const replacing = (job: Applying, writes: readonly Judged[]): string[] =>
  writes.filter(({ standing, verdict }) => verdict.do === 'create' && begunReplacement(job, standing.entry)).map(({ change }) => change.label);

/** The provider did nothing, because it is still at work: on what was just deleted, as far as anybody can tell. */
const isLocked = ({ details }: Problem): boolean => details?.['status'] === 423;

const stillDeleting = ({ message }: Problem): string => `what was deleted cannot be made anew while the provider is busy (${message.replace(/\.$/, '')})`;

/** Of all that a failure can leave, what is gone is what a person must be told. */
const deletedNote = (labels: readonly string[]): Record<string, string> => ({
  deleted: `${labels.join(', ')}, and not made anew; the next \`lockkeeper apply\` makes ${labels.length === 1 ? 'it' : 'them'}`,
});

function notesOf(job: Applying, writes: readonly Judged[], applied: Extract<Applied, { done: true }>): Record<string, string> {
  const reconciled = writes.some(({ verdict }) => 'drift' in verdict && verdict.drift?.kind === 'changed');
  const adopted = writes.filter(({ verdict }) => verdict.do === 'update' && verdict.adopts).map(({ change }) => change.label);
  const anew = replacing(job, writes);
  return {
    ...applied.notes,
    ...(reconciled ? { reconciled: 'true' } : {}),
    ...(adopted.length > 0 ? { adopted: adopted.join(', ') } : {}),
    ...(anew.length > 0 ? { recreated: anew.join(', ') } : {}),
  };
}

/** Records what the provider answered. A job that gets so far records it even when its time is nearly up. */
async function record(job: Applying, inspection: Inspection, applied: Extract<Applied, { done: true }>, relied: ReadonlySet<string>): Promise<void> {
  const made = inspection.resources.flatMap((resource) => {
    const now = applied.resources.find((one) => one.key === resource.change.key) ?? resource.live;
    if (!now || relied.has(resource.change.key)) return [];
    if (!isWrite(resource)) return seenEntry(job, resource, relied) ?? [];
    const entry = entryFor(job, resource, now, makerOf(resource), job.tenure.fence);
    const given = resource.verdict.do === 'create' ? onceGiven(job, applied.outputs) : {};
    return [Object.keys(given).length === 0 ? entry : { ...entry, onceFingerprints: given }];
  });
  await saveEntries(job, made);
}

/** Who made a resource that was just written: a create is ours, an update leaves it whose it was, a reconciled replacement is adopted. */
function makerOf({ verdict, standing }: Judged): Entry['createdBy'] {
  if (verdict.do === 'create') return 'lockkeeper';
  if (verdict.do === 'update' && (verdict.replaced || verdict.adopts)) return 'adopted';
  return standing.entry?.createdBy === 'adopted' ? 'adopted' : 'lockkeeper';
}

/**
 * A create that was plainly refused because the thing exists was not ours: its intent goes. Of several creates nobody knows
 * which one was refused: they are left for rollback to look at, like everything else.
 */
async function failed(job: Applying, resources: readonly Judged[], problem: Problem): Promise<ApplyOutcome> {
  if (problem.code === 'PROVIDER_AGAIN') {
    const at = typeof problem.details?.['at'] === 'number' ? problem.details['at'] : job.world.clock.now();
    return { outcome: 'later', cause: 'pause', seconds: Math.ceil((at - job.world.clock.now()) / 1000), why: problem.message };
  }
  const [create, ...others] = resources.filter(({ verdict }) => verdict.do === 'create');
  if (problem.details?.['exists'] === true && create && others.length === 0) await forgetIntent(job, create);
  return { outcome: 'failed', resources, problem };
}
