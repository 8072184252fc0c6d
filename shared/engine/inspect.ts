import { canonicalJson } from '../approvals/canonical-json.ts';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import { type Entry, isIntent, type LedgerLine } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import type { Scalar } from '../plan/types.ts';
import type { Run } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import { declaredOutputs } from './declared-outputs.ts';
import { allEdited } from './edited-outside.ts';
import { standing } from './evidence.ts';
import { wantsOtherForSure } from './ignored.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { Evidence, Verdict } from './judge.ts';
import { judgeWithRulings } from './judge-with-rulings.ts';
import { lastingOutputs, lookingAt, onceInputs, onceRefusal, onceValues, registerOnce, spentIn, unavailable } from './once.ts';
import type { LiveResource, OpCall, Reading, Recall, ResourceChange, ShownChange } from './op.ts';
import { withReplacements } from './replace.ts';
import { reveal } from './reveal.ts';
import { comparedWithLastWrite, remembered } from './rotation.ts';
import { registerOutput } from './sealed-outputs.ts';
import { secretInIdentity, storable } from './secret-in-identity.ts';
import { asTicked, isBeside } from './ticked-line.ts';
import { nothingToAccept } from './to-accept.ts';
import { nothingToAdopt, takesOver } from './to-adopt.ts';
import { waysOn } from './ways-on.ts';

/** Reads the line's live state now and judges every resource of it. Writes nothing, to provider or ledger (I4). */
export async function inspect(job: Inspecting): Promise<Inspection> {
  const { world, op, run, line } = job;
  const found = await readLive(job);
  if ('refusal' in found) return { reading: { resources: [], outputs: {}, live: op.nothingLive }, resources: [], ...(isBeside(run, line) ? {} : found) };
  const { reading, changes } = found;
  const looked = await Promise.all(changes.map((change) => look(job, reading, change)));
  const evidence = looked.map((one) => one.evidence);
  const { verdicts, ...rulings } = await judgeWithRulings(job, evidence);
  const judged = looked.map(({ evidence: _judged, ...resource }, at): Judged => ({ ...resource, verdict: verdicts[at] as Verdict }));
  const resources = withReplacements(job, asTicked(job, judged, evidence), () => wouldCreate(job));
  const refused = refusalOf(job, resources);
  // What is only looked at is written nowhere, so that nothing about it can be refused.
  if (isBeside(run, line)) return { reading, resources };
  const own = onceRefusal(job, resources) ?? refused ?? secretInKey(world, changes);
  const refusal = own ?? (rulings.accepted ? undefined : (nothingToAdopt(job, resources) ?? nothingToAccept(job)));
  return { reading, resources, ...(refusal ? { refusal } : {}), ...rulings };
}

/** Why a line is refused: the first reason, and of edits all of them, since one decision is about the line. */
function refusalOf({ run, line }: Inspecting, resources: readonly Judged[]): Problem | undefined {
  const [first, ...others] = resources.flatMap(({ verdict }) => (verdict.do === 'refuse' ? [verdict.problem] : []));
  const edits = [first, ...others].filter((one): one is Problem => one?.code === 'DRIFT_CHANGED');
  return first?.code === 'DRIFT_CHANGED' && edits.length > 1 ? allEdited(line.spec.id, waysOn(line.spec.id, run), edits) : first;
}

/** What is live, and what the line would make of it. An op that cannot keep what it would have to keep, because the value is gone, refuses the line. */
async function readLive(job: Inspecting): Promise<{ reading: Reading<unknown>; changes: readonly ResourceChange[] } | { refusal: Problem }> {
  const { world, op, call, params, line } = job;
  try {
    const found = await op.read(lookingAt(params), call);
    const reading = { ...found, outputs: lastingOutputs(job, found.outputs) };
    registerOutputs(job, reading.outputs);
    const changes = op.diff(params, reading, call.context);
    registerOnce(job, reading.outputs, changes);
    return { reading, changes: changes.map((change) => hideSecrets(world, reveal(world, line.spec.shows ?? [], change))) };
  } catch (error) {
    const [spent] = spentIn(params);
    if (spent === undefined || !(error instanceof LockkeeperError) || error.code !== 'PARAM_INVALID') throw error;
    return { refusal: unavailable(line.spec.id, spent.ref, spent.parts, error.message) };
  }
}

/** What the line would make where nothing is. */
const wouldCreate = ({ world, op, params, call }: Inspecting): ResourceChange[] =>
  op.diff(params, { resources: [], outputs: {}, live: op.nothingLive }, call.context).map((change) => hideSecrets(world, change));

/** Everything that one resource is judged by, read now. */
async function look(job: Inspecting, reading: Reading<unknown>, wanted: ResourceChange): Promise<Omit<Judged, 'verdict'> & { evidence: Evidence }> {
  const { world, op, line, run, scope, ledger, call } = job;
  const identity: Identity = { adapter: op.adapter, account: call.identity, key: wanted.key };
  const live = reading.resources.find((resource) => resource.key === wanted.key);
  const known = await standing(world, { scope, run: run.id, line: line.spec.id, ledger, predecessor: run.predecessor }, identity);
  const change = comparedWithLastWrite(world, wanted, live, known);
  const found = live && fingerprint(world.keys.fingerprint, live.hash);
  const evidence: Evidence = {
    op,
    scope,
    line: line.spec.id,
    change,
    live,
    found,
    foundAsRecorded: live && (await foundAsRecorded(job, known.entry, live)),
    entry: known.entry,
    owner: known.owner,
    reconcile: reconciles(run, line.spec.id),
    ...(wantsOtherForSure(job, change, known.entry) ? { wantsOther: true as const } : {}),
    mayAdopt: asksPeople(run),
    restorable: op.capture?.(change.key, reading, job.params) !== undefined,
    ways: waysOn(line.spec.id, run),
  };
  return { change, identity, live, standing: known, evidence };
}

/**
 * What an op's hash is of may be for the plan to say, by field: a plan that says another field than the one it was recorded by makes another
 * hash of the same state. Then it is looked up once more the way a destroy does, and compared as it was recorded: what a line says from now
 * on is no edit of anybody.
 */
async function foundAsRecorded({ world, op, call }: Inspecting, entry: Entry | undefined, live: LiveResource): Promise<Fingerprint | undefined> {
  if (entry?.fingerprint === undefined || entry.recall === undefined || entry.id !== live.id) return undefined;
  if (live.recall === undefined || canonicalJson(entry.recall) === canonicalJson(live.recall)) return undefined;
  const found = await op.lookup({ key: entry.key, id: live.id, recall: entry.recall }, call);
  return found?.id === live.id ? fingerprint(world.keys.fingerprint, found.hash) : undefined;
}

/** Whether the run was told to put the plan back in this line (R0.10). */
export const reconciles = ({ options: { reconcile } }: Run, line: string): boolean =>
  reconcile === true || (Array.isArray(reconcile) && reconcile.includes(line));

/** Whether people see what this run, or the one it is the plan of, would take over, before it does. */
const asksPeople = ({ gated, kind, protects }: Run): boolean => gated === true || ((kind === 'plan' || kind === 'drift') && (protects?.length ?? 0) > 0);

/** Sensitive outputs are known to the redactor before anything is emitted or stored, and to those of the run's other jobs once this one has ended. */
export function registerOutputs({ world, op, line }: Pick<Inspecting, 'world' | 'op' | 'line'>, outputs: Readonly<Record<string, unknown>>): void {
  const declared = declaredOutputs(op, line.spec.params);
  for (const [name, value] of Object.entries(outputs)) {
    if (!declared[name]?.sensitive && !declared[name]?.once) continue;
    registerOutput(world, value as Scalar, `${op.adapter}.${op.name} ${name}`);
    world.seen?.set(name, value as Scalar);
  }
}

/** A side that shows a registered value becomes sensitive (R1.106). */
export function hideSecrets(world: Pick<World, 'redactor'>, change: ResourceChange): ResourceChange {
  const hide = (side: ResourceChange['fields'][number]['before']) =>
    side.state === 'literal' && world.redactor.contains(String(side.value)) ? ({ state: 'sensitive' } as const) : side;
  return { ...change, fields: change.fields.map((field) => ({ ...field, before: hide(field.before), after: hide(field.after) })) };
}

/** A key is stored and shown everywhere: one that carries a secret is refused before the create. */
export function secretInKey(world: Pick<World, 'redactor'>, changes: readonly ResourceChange[]): Problem | undefined {
  const texts = changes.flatMap(({ key, label, recall }) => [key, label, ...(recall === undefined ? [] : [JSON.stringify(recall)])]);
  return secretInIdentity(world, 'The name of a resource', texts);
}

/** The changes of a line as they are stored and shown. What is left as it is shows no change: drift tells of it. */
export const shownChanges = (resources: readonly (Pick<Judged, 'change'> & Partial<Pick<Judged, 'verdict'>>)[]): ShownChange[] =>
  resources.map(({ change: { hash: _hash, unreadable: _unreadable, recall: _recall, fields, ...shown }, verdict }) =>
    verdict?.do === 'leave'
      ? { ...shown, kind: 'unchanged', fields: [] }
      : { ...shown, ...(takesOver(verdict) ? { adopts: true as const } : {}), fields: fields.map(({ path, before, after }) => ({ path, before, after })) },
  );

/**
 * The entry a resource has after a run saw it: who made it, its id, and its fingerprint. Run and fence are those of its
 * making: a rollback undoes what its own run created, and nothing else.
 */
export function entryFor(job: Inspecting, resource: Judged, made: LiveResource, createdBy: Entry['createdBy'], fence: number): Entry {
  const { world, op, line, run, call } = job;
  const before = resource.standing.entry;
  const updatedBy = resource.verdict.do === 'update' ? run.id : before?.updatedBy;
  const known = job.ledger?.entries.find((one) => identityHash(one) === identityHash(resource.identity));
  const adoption = createdBy === 'adopted' ? { ...(known?.original ? { original: known.original } : {}), ...(known?.lift ? { lift: known.lift } : {}) } : {};
  const sameMaking = before !== undefined && createdBy === before.createdBy && resource.verdict.do !== 'create';
  return {
    adapter: op.adapter,
    op: op.name,
    opVersion: op.version,
    provider: line.spec.provider,
    account: call.identity,
    key: resource.change.key,
    ...storable(world, made),
    ...seenAs(world, made, before),
    createdBy,
    run: sameMaking ? before.run : run.id,
    fence: sameMaking ? before.fence : fence,
    sequence: before?.sequence ?? world.ids.fresh(),
    ...remembered(world, resource.change, made, before),
    ...(updatedBy === undefined ? {} : { updatedBy }),
    ...recalled(made.recall ?? resource.change.recall ?? before?.recall, job.parent),
    ...redeployMark(job, resource),
    ...adoption,
    ...onceOf(job, before, createdBy),
  };
}

/** What an entry remembers of values that were given once: what it was written with, what its making gave, and what it stands in the place of. */
function onceOf(
  job: Inspecting,
  before: Entry | undefined,
  createdBy: Entry['createdBy'],
): Pick<Entry, 'onceFingerprints' | 'onceInputs' | 'onceValues' | 'replaces'> {
  const inputs = onceInputs(job);
  const given = createdBy === before?.createdBy ? before.onceFingerprints : undefined;
  const replaces = before?.replaces?.run === job.run.id ? before.replaces : undefined;
  const values = inputs ? onceValues(job, before) : [];
  const written = { ...(inputs ? { onceInputs: inputs } : {}), ...(values.length > 0 ? { onceValues: values } : {}) };
  return { ...written, ...(given ? { onceFingerprints: given } : {}), ...(replaces ? { replaces } : {}) };
}

/** A write is marked before it is sent, so that no death loses it; the mark stays until a redeploy takes it away (P8). */
export function redeployMark({ op, line, call, ledger }: Inspecting, { identity, verdict }: Judged): Pick<Entry, 'redeployDue'> {
  const writes = verdict.do === 'create' || verdict.do === 'update';
  const known = ledger?.entries.find((one) => identityHash(one) === identityHash(identity))?.redeployDue;
  const due = writes ? op.redeploy?.group(line.spec.params, call.context) : known;
  return due === undefined ? {} : { redeployDue: due };
}

/**
 * What is recorded of a resource's state, and when it was last known to be so. A value that is kept tells nothing of itself: one that a
 * line wrote, and keeps from now on, stays recorded as it was written, or nobody could tell any more whether it is still ours.
 */
function seenAs({ keys, clock }: World, made: LiveResource, before: Entry | undefined): Partial<Entry> {
  const cleanAt = new Date(clock.now()).toISOString();
  const found = fingerprint(keys.fingerprint, made.hash);
  if (!made.kept) return { fingerprint: found, cleanAt };
  const { fingerprint: written, foretells, begunAt, cleanAt: cleanThen } = before ?? {};
  if (written === undefined || before?.kept || before?.id !== made.id) return { fingerprint: found, kept: true, cleanAt };
  return {
    fingerprint: written,
    nowKept: true,
    ...(cleanThen === undefined ? {} : { cleanAt: cleanThen }),
    ...(foretells === undefined ? {} : { foretells }),
    ...(begunAt === undefined ? {} : { begunAt }),
  };
}

const recalled = (recall: Recall | undefined, parent: string | undefined): Pick<Entry, 'recall' | 'parent'> => ({
  ...(recall === undefined ? {} : { recall }),
  ...(parent === undefined ? {} : { parent }),
});

/** A line's call, knowing the keys whose create it has begun. */
export function withBegun(call: OpCall, ledger: LedgerLine | undefined): OpCall {
  const begun = (ledger?.entries ?? []).filter(isIntent).map((entry) => entry.key);
  return begun.length === 0 ? call : { ...call, begun: new Set(begun) };
}
