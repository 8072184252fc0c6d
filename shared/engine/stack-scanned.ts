import { createHash } from 'node:crypto';
import { canonicalJson } from '../approvals/canonical-json.ts';
import { type Effect, isWrite, withoutSaved } from '../approvals/effect.ts';
import type { Attribute, DriftFields } from '../drift/record.ts';
import type { Identity } from '../ledger/identity.ts';
import { type IgnoreRule, ignoredPaths } from '../scans/ignored.ts';
import type { ScannedLine, ScannedResource, StackLook } from '../scans/scanned-line.ts';
import type { StackChange, StackPlan } from '../stacks/tool-work.ts';
import type { ShownChange } from './op.ts';
import { addressInStack, headOf, inStack, stackChanges, stackEffects } from './stack-effects.ts';
import type { Side } from './value.ts';

/**
 * What a look at a stack found, resource by resource: what somebody edited outside, and what its plan would do. A tool applies all of its plan or
 * nothing (R2.25): so every effect of it stands in what was found where anything of it is told, and none where all that is left to do is to put back
 * what policy ignores.
 *
 * @param plan made with a look for drift; of Pulumi, with what was found put back, which is what a repair runs (R2.24).
 */
export function scannedStack(identity: Identity, plan: StackPlan, rules: readonly IgnoreRule[]): ScannedLine {
  const effects = new Map(stackEffects(identity, plan).effects.map((effect) => [effect.address, withoutSaved(effect)]));
  const shown = new Map(stackChanges(identity.key, plan).map((change) => [change.key, change]));
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const drifted = new Map(plan.drift.filter(hasDrifted).map((record) => [record.address, record]));
  const seen = [...new Set([...drifted.keys(), ...changes.keys()])].map((address): Seen => {
    const key = inStack(identity.key, address);
    return {
      key,
      address,
      effectAddress: addressInStack(identity, address),
      effect: effects.get(addressInStack(identity, address)),
      change: changes.get(address),
      shown: shown.get(key),
      record: drifted.get(address),
    };
  });
  const judged = seen.map((one) => judge(one, rules, drifted.size > 0));
  const isAnythingTold = judged.some(({ told, pending }) => told || pending);
  const resources = judged.flatMap((one) => resourceOf(one, isAnythingTold) ?? []);
  const head = effects.get(headOf(identity).address);
  return { looked: 'yes', resources, stack: { ...toldOf(plan.drift, plan.version), ...(head && isAnythingTold ? { head } : {}) } };
}

/** What is told of the tool's own records, beside the resources: of what is in sync the address alone. */
export function toldOf(records: readonly DriftFields[], version?: string): StackLook {
  const told = records.map(({ address, resourceType, status, unobserved, attributes, attributesUnobserved, ownership, fellBackFrom }) =>
    withoutUndefined({ address, resourceType, status, unobserved, attributes, attributesUnobserved, ownership, fellBackFrom }),
  );
  const others = told.filter(({ status }) => !isPlain(status));
  const plain = told.filter(({ status }) => isPlain(status));
  const [first] = records;
  return {
    ...(first ? { engine: first.engine, read: first.read } : {}),
    ...(version === undefined ? {} : { version }),
    records: [...others, ...plain.slice(0, mostPlain)],
    ...(plain.length > mostPlain ? { more: plain.length - mostPlain } : {}),
  };
}

/** Records of resources that are as they should be, or of which nobody looked: more of them say nothing more, and a line's item holds so much. */
const mostPlain = 500;
const isPlain = (status: DriftFields['status']): boolean => status === 'in-sync' || status === 'recorded';

const withoutUndefined = <T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const hasDrifted = ({ status }: DriftFields): boolean => status === 'drifted' || status === 'missing';

/** One resource, as drift and as plan see it. */
interface Seen {
  readonly key: string;
  readonly address: string;
  readonly effectAddress: string;
  readonly effect: Effect | undefined;
  readonly change: StackChange | undefined;
  readonly shown: ShownChange | undefined;
  readonly record: DriftFields | undefined;
}

interface JudgedResource extends Seen {
  readonly drifted: 'changed' | 'missing' | undefined;
  readonly told: boolean;
  readonly pending: boolean;
  readonly ignored: NonNullable<ScannedResource['ignored']>;
  /** Of what drifted, what is left beside what policy ignores: what is live before what was recorded. */
  readonly fields: ShownChange['fields'];
}

function judge(seen: Seen, rules: readonly IgnoreRule[], isAnyDrifted: boolean): JudgedResource {
  const { key, address, record, effect, change } = seen;
  const drifted = record === undefined ? undefined : record.status === 'missing' ? 'missing' : 'changed';
  const fields = (record?.attributes ?? []).map(fieldOf);
  const writes = effect !== undefined && isWrite(effect);
  // Outputs follow what they are made of: beside drift nobody can tell an intended one from one that comes back.
  const follows = change?.type === 'output' && isAnyDrifted;
  if (drifted === undefined) return { ...seen, drifted, told: false, pending: writes && !follows, ignored: [], fields };
  const { reasons, left, all } = ignoredPaths(rules, { key, label: address, fields }, drifted);
  const pending = writes && change?.putsBack !== true;
  return { ...seen, drifted, told: !all, pending, ignored: reasons, fields: left };
}

function resourceOf(one: JudgedResource, isAnythingTold: boolean): ScannedResource | undefined {
  const { key, address, effectAddress, effect, shown, drifted, told, ignored } = one;
  const along = !told && !one.pending && isAnythingTold && effect !== undefined;
  const pending = one.pending || (along && drifted !== undefined);
  if (!told && !pending && !along && ignored.length === 0) return undefined;
  const change = changeOf(one, pending);
  return {
    key,
    label: shown?.label ?? address,
    address: effectAddress,
    ...(told && drifted ? { drifted, fingerprint: driftFingerprint(one) } : {}),
    ...(pending ? { pending: true as const } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(change ? { change } : {}),
    ...(effect && (told || pending || along) ? { effect } : {}),
  };
}

function changeOf({ key, address, shown, drifted, told, fields }: JudgedResource, pending: boolean): ShownChange | undefined {
  if (pending || !told) return pending ? shown : undefined;
  const kind = shown?.kind ?? (drifted === 'missing' ? 'create' : 'update');
  return { ...(shown ?? { key, label: address }), kind, fields };
}

/** A record's before is what was expected, and a change's what is live. */
function fieldOf({ path, before, after, sensitive }: Attribute): ShownChange['fields'][number] {
  return sensitive === true ? { path, before: { state: 'sensitive' }, after: { state: 'sensitive' } } : { path, before: sideOf(after), after: sideOf(before) };
}

function sideOf(value: unknown): Side {
  if (value === undefined) return { state: 'unshown' };
  if (value === null) return { state: 'absent' };
  return { state: 'literal', value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value) };
}

/**
 * Of exactly this edit: only what is live has a part in it. Where no attribute tells them apart, as of a secret of which the tool shows the same on
 * both sides, the whole resource as the plan found it does.
 */
function driftFingerprint({ effectAddress, drifted, record, change }: JudgedResource): string {
  const live = (record?.attributes ?? []).map(({ path, after, fingerprints }) => [path, fingerprints?.after ?? null, after ?? null]);
  const whole = live.length === 0 && drifted === 'changed' ? (change?.before?.mac ?? null) : null;
  return createHash('sha256')
    .update(canonicalJson([effectAddress, drifted, live, whole]))
    .digest('hex');
}
