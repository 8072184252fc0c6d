import { type Action, type Effect, type GivenOutputs, inOrder, type PathEffect } from '../approvals/effect.ts';
import type { Accepted } from '../approvals/plan-document.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { LiveResource, ResourceChange } from './op.ts';
import { begunReplacement } from './replace.ts';
import { leaves } from './resolve.ts';
import { hashOfValue, outputsOf } from './value.ts';

/** What effects are worked out from, beside the changes. */
export type Planning = Pick<Inspecting, 'world' | 'op' | 'call'>;

/** What a line's inspection says it would write, as people approve it. */
export function effectsOf(job: Planning & Pick<Inspecting, 'run'>, resources: readonly Judged[]): Effect[] {
  return inOrder(
    resources.flatMap(({ change, live, verdict, standing }) => {
      if (verdict.do === 'replace') return [effectOf(job, change, 'replace', live)];
      if (verdict.do !== 'create' && verdict.do !== 'update') return [];
      const begun = verdict.do === 'create' ? begunReplacement(job, standing.entry) : undefined;
      if (begun) return [{ ...effectOf(job, change, 'replace'), ...(begun.before ? { before: begun.before } : {}) }];
      return [effectOf(job, change, verdict.do === 'update' && verdict.adopts ? 'adopt' : verdict.do, live)];
    }),
  );
}

/** What a line's inspection looked at and would not write, as it stands in a plan that people approve. A refused line has none. */
export function seenOf(job: Planning, resources: readonly Judged[]): Effect[] {
  const key = job.world.keys.fingerprint;
  return inOrder(
    resources.flatMap(({ change, live, verdict }): Effect[] => {
      if (!live || verdict.do === 'create' || verdict.do === 'update' || verdict.do === 'replace' || verdict.do === 'refuse') return [];
      const action: Action = verdict.do === 'rely' || live.kept ? 'read' : 'no-op';
      return [{ address: addressOf(job.op, job.call, change), action, paths: [], before: fingerprint(key, live.hash), waitsFor: [] }];
    }),
  );
}

/** What of a line a person has left as it was edited outside, as it stands in a plan that people approve. */
export function acceptedOf({ op, call }: Planning, { accepted, resources }: Pick<Inspection, 'accepted' | 'resources'>): Accepted[] {
  const { until } = accepted ?? {};
  if (until === undefined) return [];
  const left = resources.filter(({ verdict }) => verdict.do === 'leave' && verdict.drift?.accepted);
  const all = left.map(({ change }) => ({ address: addressOf(op, call, change), paths: change.fields.map(({ path }) => path).sort(), until }));
  return all.sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** Of one resource: adapter, account and key as JSON. */
export const addressOf = (op: Inspecting['op'], call: Inspecting['call'], change: ResourceChange): string =>
  JSON.stringify([op.adapter, Object.entries(call.identity).sort(), change.key]);

/** The outputs a line was given, and the texts they stand in, for the references that were approved in their place. */
export function givenOutputs({ world, params }: Pick<Inspecting, 'world' | 'params'>): GivenOutputs {
  const given = leaves(params)
    .flatMap(({ value }) => [value, ...outputsOf(value)])
    .flatMap((value) => (value.kind === 'known' && value.ref !== undefined ? [[value.ref, value.value] as const] : []));
  const key = world.keys.fingerprint;
  return new Map(given.map(([ref, value]) => [ref, { text: String(value), fingerprint: fingerprint(key, hashOfValue(value)) }]));
}

/**
 * One change as an effect.
 *
 * @param inName the outputs whose marks stand in its key.
 */
export function effectOf(
  { world, op, call }: Planning,
  change: ResourceChange,
  action: Effect['action'],
  live?: LiveResource,
  inName: readonly string[] = [],
): Effect {
  const key = world.keys.fingerprint;
  const paths = change.fields.map((field): PathEffect => {
    const { path, after, hashBefore, hashAfter, hashesKnown } = field;
    const before = hashBefore === undefined ? {} : { before: fingerprint(key, hashBefore) };
    const known = hashesKnown === undefined ? {} : { known: mapValues(hashesKnown, (hash) => fingerprint(key, hash)) };
    if (after.state === 'pending') return { path, ...before, waitsFor: after.ref, ...known };
    return { path, ...before, ...(hashAfter === undefined ? {} : { after: fingerprint(key, hashAfter) }) };
  });
  const inPaths = change.fields.flatMap(({ after }) => (after.state === 'pending' ? (after.on ?? [after.ref]) : []));
  const waitsFor = [...new Set([...inName, ...inPaths])].sort();
  return {
    address: addressOf(op, call, change),
    action,
    ...(action === 'replace' ? { order: ['delete', 'create'] as const } : {}),
    paths: paths.sort((a, b) => (a.path < b.path ? -1 : 1)),
    ...(live ? { before: fingerprint(key, live.hash) } : {}),
    ...(change.hash === undefined || waitsFor.length > 0 ? {} : { after: fingerprint(key, change.hash) }),
    waitsFor,
  };
}

const mapValues = <V, W>(map: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));

/**
 * Effects as they may be stored: without those of a resource whose name carries a registered value (I1). A line with one is refused
 * before; one that slips through is approved by nobody, so it is not written either. Names of adapters, accounts and attributes are
 * public, and stay when a secret happens to read like them.
 */
export const withoutSecretNames = ({ redactor }: Pick<Inspecting['world'], 'redactor'>, effects: readonly Effect[]): Effect[] =>
  effects.filter(({ address }) => !redactor.contains(String((JSON.parse(address) as readonly unknown[])[2])));
