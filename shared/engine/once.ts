import { createHash } from 'node:crypto';
import type { Problem } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import type { Entry } from '../ledger/entry.ts';
import { splitReference } from '../plan/references.ts';
import { compare, type Fingerprint, fingerprint } from '../secrets/fingerprint.ts';
import type { FingerprintKey } from '../secrets/keys.ts';
import { declaredOutputs } from './declared-outputs.ts';
import type { Inspecting, Judged } from './inspecting.ts';
import type { Outputs, ResourceChange } from './op.ts';
import { leaves } from './resolve.ts';
import { hashOfValue, type OncePart, type ResolvedParams, type Value } from './value.ts';

/**
 * Outputs that only the answer to a create gives (R1.81). Whoever made the resource keeps a keyed fingerprint of each
 * (`onceFingerprints`); whoever was written with them keeps one of what it was given (`onceInputs`). Later runs have fingerprints alone: a
 * dependent whose every resource still carries what its producer gave is left as it is, and any other needs the value again, which is gone.
 */

/** Fingerprints of the once-only outputs that a create has just answered. */
export function onceGiven({ world, op, line }: Pick<Inspecting, 'world' | 'op' | 'line'>, outputs: Outputs): Readonly<Record<string, Fingerprint>> {
  const once = Object.entries(declaredOutputs(op, line.spec.params)).filter(([name, spec]) => spec.once && outputs[name] !== undefined);
  return Object.fromEntries(once.map(([name]) => [name, fingerprint(world.keys.fingerprint, hashOfValue(outputs[name] as string))]));
}

/** What a look shows of a line's outputs: none of those that its create alone gives. */
export function lastingOutputs({ op, line }: Pick<Inspecting, 'op' | 'line'>, outputs: Outputs): Outputs {
  const declared = declaredOutputs(op, line.spec.params);
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !declared[name]?.once));
}

/** The fingerprints that a line's resources carry of what they gave when they were made. */
export const onceCarried = (resources: readonly Pick<Judged, 'standing'>[]): Readonly<Record<string, Fingerprint>> =>
  Object.assign({}, ...resources.map(({ standing }) => standing.entry?.onceFingerprints ?? {})) as Record<string, Fingerprint>;

/** One leaf that is made of such outputs, as one fingerprint: of them by theirs, of what stands beside them by itself. Undefined: it cannot be told. */
function inputOf(key: FingerprintKey, parts: readonly OncePart[]): Fingerprint | undefined {
  const pieces: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') pieces.push(`text ${part}`);
    else if (part.once?.key === key.id) pieces.push(`once ${part.once.mac}`);
    else return undefined;
  }
  return fingerprint(key, createHash('sha256').update(JSON.stringify(pieces)).digest('hex'));
}

const onceLeaves = (params: ResolvedParams): { ref: string; value: Extract<Value, { kind: 'known' | 'keep' }>; parts: readonly OncePart[] }[] =>
  leaves(params).flatMap(({ value }) =>
    (value.kind === 'known' || value.kind === 'keep') && value.once ? [{ ref: value.ref ?? '', value, parts: value.once }] : [],
  );

/** What each resource of a line carries once it has been written with such outputs, by reference; undefined where the line has none. */
export function onceInputs({ world, params }: Pick<Inspecting, 'world' | 'params'>): Readonly<Record<string, Fingerprint>> | undefined {
  const known = onceLeaves(params).flatMap(({ ref, parts }) => {
    const input = inputOf(world.keys.fingerprint, parts);
    return input ? [[ref, input] as const] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Fingerprints of the values themselves: those that are known now, else those that were written before. */
export function onceValues({ world, params }: Pick<Inspecting, 'world' | 'params'>, before: Entry | undefined): readonly Fingerprint[] {
  const known = onceLeaves(params).flatMap(({ value }) => (value.kind === 'known' ? [fingerprint(world.keys.fingerprint, hashOfValue(value.value))] : []));
  return known.length > 0 ? known : (before?.onceValues ?? []);
}

/** A value that was given once, found again in what is live, is masked as it was when it was known (I1). */
export function registerOnce(
  { world, line, ledger }: Pick<Inspecting, 'world' | 'line' | 'ledger'>,
  outputs: Outputs,
  changes: readonly ResourceChange[],
): void {
  const values = (ledger?.entries ?? []).flatMap((entry) => entry.onceValues ?? []);
  if (values.length === 0) return;
  const sides = changes.flatMap(({ fields }) => fields.flatMap(({ before }) => (before.state === 'literal' ? [before.value] : [])));
  for (const found of [...Object.values(outputs), ...sides]) {
    const of = fingerprint(world.keys.fingerprint, hashOfValue(found));
    if (values.some((one) => compare(one, of) === 'same')) world.redactor.register(String(found), `a value given once, in line ${line.spec.id}`);
  }
}

/** Whether an entry says already what it was given. */
export const carries = (entry: Entry, inputs: Readonly<Record<string, Fingerprint>>): boolean =>
  Object.values(inputs).every((input) => Object.values(entry.onceInputs ?? {}).some((one) => compare(one, input) === 'same'));

/** What is made of values that are gone, so that the line can only be left as it is. */
export const spentIn = (params: ResolvedParams): readonly Pick<ReturnType<typeof onceLeaves>[number], 'ref' | 'parts'>[] =>
  onceLeaves(params).filter(({ value }) => value.kind === 'keep');

/** The parameters for a look at what is live: what is kept because its value is gone is looked at in full. */
export function lookingAt(params: ResolvedParams): ResolvedParams {
  if (spentIn(params).length === 0) return params;
  return mapLeaves(params, (value) => (value.kind === 'keep' && value.once ? { kind: 'pending', ref: value.ref ?? '', sensitive: true } : value));
}

function mapLeaves(params: ResolvedParams, change: (value: Value) => Value): ResolvedParams {
  const mapped = (node: ResolvedParams[string]): ResolvedParams[string] => {
    if (Array.isArray(node)) return node.map(mapped);
    return typeof (node as { kind?: unknown }).kind === 'string' ? change(node as Value) : mapLeaves(node as ResolvedParams, change);
  };
  return Object.fromEntries(Object.entries(params).map(([name, node]) => [name, mapped(node)]));
}

/**
 * Why a line that needs a value which is gone cannot be left as it is: nobody knows what its producer gave, or a resource of it is missing,
 * was edited outside, or was not written with that. Reconciling helps nothing: there is no value to put back.
 */
export function onceRefusal({ world, params, line }: Inspecting, resources: readonly Judged[]): Problem | undefined {
  const spent = onceLeaves(params).filter(({ value }) => value.kind === 'keep');
  for (const { ref, parts } of spent) {
    const input = inputOf(world.keys.fingerprint, parts);
    if (!input) return unavailable(line.spec.id, ref, parts, 'nobody knows any more what that was');
    for (const resource of resources) {
      const why = unlike(resource, { [ref]: input }, world.keys.fingerprint);
      if (why !== undefined) return unavailable(line.spec.id, ref, parts, `${resource.change.label} ${why}`);
    }
  }
  return undefined;
}

/** What tells that a resource is not as it was written with these; undefined: it is. */
function unlike({ live, verdict, standing: { entry } }: Judged, inputs: Readonly<Record<string, Fingerprint>>, key: FingerprintKey): string | undefined {
  if (!live || verdict.do === 'replace') return 'would be created';
  if (!entry || entry.createdBy === 'intent') return 'was not written by this line';
  const same = entry.fingerprint && entry.kept === live.kept && compare(entry.fingerprint, fingerprint(key, live.hash)) === 'same';
  if (entry.id !== live.id || !same) return 'was edited outside';
  return carries(entry, inputs) ? undefined : 'was written with another value';
}

/** The refusal, with the producers that would have to be made anew. */
export function unavailable(line: string, ref: string, parts: readonly OncePart[], why: string): Problem {
  const producers = [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [splitReference(part.ref).line])))];
  const message = `Line ${line} needs ${ref}, which was given once, when ${listed(producers, 'and')} was made: ${why.replace(/\.$/, '')}.`;
  const hint = `\`lockkeeper recreate ${producers[0] ?? ''}\` makes it anew and gives a new value; or keep the value in a secret store and name it by { secret }.`;
  return { code: 'OUTPUT_UNAVAILABLE', message, hint, details: { line, reference: ref, producers } };
}
