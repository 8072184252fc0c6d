import type { Problem } from '../errors/error.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import type { Identity } from '../ledger/identity.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { type Standing, standing } from './evidence.ts';
import { judge, type Verdict } from './judge.ts';
import type { LiveResource, Op, OpCall, Reading, ResourceChange, ShownChange } from './op.ts';
import { comparedWithLastWrite, remembered } from './rotation.ts';
import { secretInIdentity, storable } from './secret-in-identity.ts';
import type { ResolvedParams } from './value.ts';

/** One resource of a line: what is wanted, what is live, what is remembered, and what to do. */
export interface Judged {
  readonly change: ResourceChange;
  readonly identity: Identity;
  readonly live: LiveResource | undefined;
  readonly standing: Standing;
  readonly verdict: Verdict;
}

export interface Inspection {
  readonly reading: Reading<unknown>;
  readonly resources: readonly Judged[];
  /** The first refusal, when there is one: the whole line is refused with it. */
  readonly refusal?: Problem;
}

/** What an inspection needs of its job. */
export interface Inspecting {
  readonly world: World;
  readonly run: Run;
  readonly scope: string;
  readonly line: Pick<RunLine, 'spec'>;
  readonly op: Op;
  readonly call: OpCall;
  readonly params: ResolvedParams;
  readonly ledger: LedgerLine | undefined;
}

/** Reads the line's live state now and judges every resource of it. Writes nothing, to provider or ledger (I4). */
export async function inspect(job: Inspecting): Promise<Inspection> {
  const { world, op, call, params, run } = job;
  const reading = await op.read(params, call);
  registerOutputs(world, op, reading.outputs);
  const changes = op.diff(params, reading, call.context).map((change) => hideSecrets(world, change));
  const resources = await Promise.all(changes.map((change) => judgeChange(job, reading, change, run.options.reconcile === true)));
  const refused = resources.find((resource) => resource.verdict.do === 'refuse');
  const refusal = refused?.verdict.do === 'refuse' ? refused.verdict.problem : secretInKey(world, changes);
  return refusal ? { reading, resources, refusal } : { reading, resources };
}

async function judgeChange(job: Inspecting, reading: Reading<unknown>, wanted: ResourceChange, reconcile: boolean): Promise<Judged> {
  const { world, op, line, run, scope, ledger, call } = job;
  const identity: Identity = { adapter: op.adapter, account: call.identity, key: wanted.key };
  const live = reading.resources.find((resource) => resource.key === wanted.key);
  const known = await standing(world, { scope, run: run.id, line: line.spec.id, ledger, predecessor: run.predecessor }, identity);
  const change = comparedWithLastWrite(world, wanted, live, known);
  const found = live && fingerprint(world.keys.fingerprint, live.hash);
  const verdict = judge({ op, line: line.spec.id, change, live, found, entry: known.entry, owner: known.owner, reconcile });
  return { change, identity, live, standing: known, verdict };
}

/** Sensitive outputs are known to the redactor before anything is emitted or stored. */
export function registerOutputs(world: Pick<World, 'redactor'>, op: Op, outputs: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(outputs)) {
    if (op.outputs[name]?.sensitive) world.redactor.register(String(value), `${op.adapter}.${op.name} ${name}`);
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
  const texts = changes.flatMap((change) => [change.key, change.label]);
  return secretInIdentity(world, 'The name of a resource', texts);
}

/** The changes of a line as they are stored and shown. */
export const shownChanges = (resources: readonly Pick<Judged, 'change'>[]): ShownChange[] =>
  resources.map(({ change: { hash: _hash, unreadable: _unreadable, fields, ...shown } }) => ({
    ...shown,
    fields: fields.map(({ path, before, after }) => ({ path, before, after })),
  }));

/**
 * The entry a resource has after a run saw it: who made it, its id, and its fingerprint. Run and fence are those of its
 * making: a rollback undoes what its own run created, and nothing else.
 */
export function entryFor(job: Inspecting, resource: Judged, made: LiveResource, createdBy: Entry['createdBy'], fence: number): Entry {
  const { world, op, line, run, call } = job;
  const before = resource.standing.entry;
  const updatedBy = resource.verdict.do === 'update' ? run.id : before?.updatedBy;
  const sameMaking = before !== undefined && createdBy === before.createdBy && resource.verdict.do !== 'create';
  return {
    adapter: op.adapter,
    op: op.name,
    opVersion: op.version,
    provider: line.spec.provider,
    account: call.identity,
    key: resource.change.key,
    ...storable(world, made),
    fingerprint: fingerprint(world.keys.fingerprint, made.hash),
    createdBy,
    run: sameMaking ? before.run : run.id,
    fence: sameMaking ? before.fence : fence,
    sequence: before?.sequence ?? world.ids.fresh(),
    cleanAt: new Date(world.clock.now()).toISOString(),
    ...remembered(world, resource.change, made, before),
    ...(updatedBy === undefined ? {} : { updatedBy }),
  };
}
