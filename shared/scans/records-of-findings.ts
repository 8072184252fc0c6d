import { resourceAddress } from '../drift/address.ts';
import { driftRecord } from '../drift/drift-record.ts';
import { anyGraph, nodeOf } from '../drift/placement.ts';
import type { Attribute, DriftRecord, Ownership, Unobserved, UnobservedReason } from '../drift/record.ts';
import { isSensitivePath } from '../drift/sensitive-key.ts';
import type { Problem } from '../errors/error.ts';
import { utc } from '../errors/moment.ts';
import type { DriftItem } from '../run/report.ts';
import type { Findings, LineFinding } from './findings.ts';
import { recordingOf, type Said } from './own-record.ts';
import type { KnownResource, Looked, ScannedResource } from './scanned-line.ts';

type Told = Pick<Findings, 'plan' | 'endedAt' | 'lines' | 'beside'>;

/**
 * What a scan found, as drift records (R3.1): the engine is `lockkeeper`, the member is the plan, and the address is the line with the key of its
 * resource, as `web-env["env:preview:NAME"]`; of a line of which no resource is known, the line. A stack is told by its tool's own records, whose member
 * is the line. Pure.
 *
 * @param findings masked: values stand in them only where they may be shown.
 */
export function recordsOfFindings({ plan, endedAt, lines, beside }: Told): DriftRecord[] {
  const record = recordingOf(plan, 'live-read', endedAt);
  return [
    ...lines.flatMap((line) => (line.stack ? ofStack(line, endedAt) : [])),
    ...lines.flatMap((line) => (line.stack ? [] : ofLine(line)).map(([address, said]) => record(address, `${line.adapter}.${line.op}`, said))),
    ...beside.flatMap((item) => {
      const address = item.line === undefined ? item.resource.key : resourceAddress(item.line, item.resource.key);
      return item.kind === 'orphan' || item.kind === 'unmanaged' ? [record(address, `${item.adapter}.${item.op}`, undeclared(item))] : [];
    }),
  ];
}

/** What the tool told. Where it told nothing, the line is one record, in the engine's name that it would have. */
function ofStack(line: LineFinding, observedAt: string): DriftRecord[] {
  const { id: member, adapter, looked, failed, resources, stack } = line;
  const { engine = adapter === 'pulumi' ? 'pulumi' : 'terraform', read = engine === 'pulumi' ? 'refresh' : 'plan', version, records = [] } = stack?.look ?? {};
  const graph = engine === 'pulumi' ? anyGraph : { ...anyGraph, root: member };
  const of = { member, engine, read, observedAt, evidence: { tool: engine, ...(version === undefined ? {} : { version }) } } as const;
  const known = new Map(resources.map((one) => [one.label, one]));
  if (records.length > 0) {
    return records.map((told) => {
      const { drifted, fingerprint, firstSeen } = known.get(told.address) ?? {};
      const which = drifted && fingerprint !== undefined ? { fingerprint } : {};
      const since = drifted && firstSeen !== undefined ? { evidence: { ...of.evidence, firstSeen } } : {};
      return driftRecord({ ...of, ...told, ...nodeOf({ member, address: told.address }, graph), ...which, ...since });
    });
  }
  if (looked === 'yes') return [];
  const evidence = failed ? { evidence: { ...of.evidence, engineCode: failed.problem.code } } : {};
  return [driftRecord({ ...of, address: member, node: null, status: 'not-observed', unobserved: unobservedAs(looked, line), ...evidence })];
}

/** An orphan is ours still; what nobody manages is nobody's, as far as anybody knows. */
const undeclared = ({ kind }: DriftItem): Said => ({
  status: 'undeclared',
  ownership: kind === 'orphan' ? { verdict: 'owned', by: 'record' } : { verdict: 'unknown', by: 'record' },
  evidence: { engineCode: kind },
});

function ofLine(line: LineFinding): [string, Said][] {
  const { id, looked, failed, resources } = line;
  const known = resources.map((resource): [string, KnownResource] => [resourceAddress(id, resource.key), resource]);
  if (looked === 'yes') return known.map(([address, resource]) => [address, seen(resource, line)]);
  const said: Said = { status: 'not-observed', unobserved: unobservedAs(looked, line), ...(failed ? { evidence: { engineCode: failed.problem.code } } : {}) };
  const refused = failed && unclaimed(failed.problem);
  const lying = refused ? [[resourceAddress(id, refused.key), refused.said] as [string, Said]] : [];
  const others = known.filter(([address]) => address !== lying[0]?.[0]).map(([address]): [string, Said] => [address, said]);
  return known.length === 0 && !refused ? [[id, said]] : [...lying, ...others];
}

const reasons: Readonly<Record<Exclude<Looked, 'yes' | 'failed'>, UnobservedReason>> = { busy: 'in-motion', cannot: 'cannot-read' };

function unobservedAs(looked: Exclude<Looked, 'yes'>, { failed, waits }: LineFinding): Unobserved {
  if (looked === 'cannot' && waits !== undefined) return { reason: 'preview-failed', detail: `It waits for ${waits}, which is not known yet.` };
  if (looked !== 'failed') return { reason: reasons[looked] };
  const reason = failed?.step === 'preview' ? 'preview-failed' : 'read-failed';
  return failed ? { reason, detail: failed.problem.message } : { reason };
}

/** Something is where a line's resource would be, and it is not the line's: a plan refuses to touch it. */
function unclaimed({ code, details }: Problem): { key: string; said: Said } | undefined {
  const key = details?.['key'];
  if (typeof key !== 'string' || key === '') return undefined;
  const ownerships: Readonly<Record<string, Ownership>> = {
    ADOPT_REQUIRED: { verdict: 'adoptable', by: 'record', adopt: true },
    OWNED_BY_OTHER_SCOPE: { verdict: 'foreign', by: 'record' },
  };
  const ownership = Object.hasOwn(ownerships, code) ? ownerships[code] : undefined;
  return ownership && { key, said: { status: 'unclaimed', ownership, evidence: { engineCode: code } } };
}

function seen(resource: KnownResource, line: LineFinding): Said {
  const { drifted, pending, change, accepted, ignored = [], gone } = resource;
  const left = [
    ...(accepted ? [`accepted until ${utc(accepted.until)}, ${accepted.reason}`] : []),
    ...ignored.map(({ path, reason }) => (path === undefined ? `ignored, ${reason}` : `${path} ignored, ${reason}`)),
  ];
  const passedOver = left.length === 0 ? {} : { attributesUnobserved: { reason: 'filtered', detail: left.join('; ') } as const };
  // Nobody expects it there, and nothing of it was compared: it is neither in sync nor missing (R3.20).
  if (gone) return { status: 'not-observed', unobserved: { reason: 'filtered', detail: left.join('; ') } };
  if (drifted === undefined) return pending && change?.kind === 'create' ? { status: 'pending' } : { status: 'in-sync', ...passedOver };
  const known = { ...drifting(resource, line), ...(pending ? { pending } : {}), ...(drifted === 'replaced' ? { engineCode: 'replaced' } : {}) };
  const evidence = Object.keys(known).length === 0 ? {} : { evidence: known };
  // It tells an edit from the next one where no value may be shown, and is made of keyed fingerprints.
  const which = resource.fingerprint === undefined ? {} : { fingerprint: resource.fingerprint };
  if (drifted === 'missing') return { status: 'missing', ...evidence, ...which };
  return {
    status: 'drifted',
    attributes: (change?.fields ?? []).map((field) => attributeOf(resource.key, field, pending === true)),
    ...passedOver,
    ...evidence,
    ...which,
  };
}

/** Since when it has drifted, when the line was clean last, and which run wrote it last: facts about the read, and no part of what was found. */
const drifting = ({ firstSeen }: KnownResource, { cleanAt, lastRun }: LineFinding): object => ({
  ...(firstSeen === undefined ? {} : { firstSeen }),
  ...(cleanAt === undefined ? {} : { cleanAt }),
  ...(lastRun === undefined ? {} : { lastRun }),
});

type Field = NonNullable<ScannedResource['change']>['fields'][number];

const isSecret = ({ state }: Field['before']): boolean => state === 'secret' || state === 'sensitive';

/**
 * The key of a variable is its name. A scan's `before` is what is live and its `after` what is wanted; a record's are what was expected and what was
 * found. Where it has something pending, too, what the plan wants never was there, and what was is recorded nowhere in clear (ADR 0066).
 */
function attributeOf(key: string, { path, before: live, after: wanted }: Field, isPending: boolean): Attribute {
  if (isSensitivePath(key) || isSecret(wanted) || (isSecret(live) && wanted.state !== 'literal')) return { path, sensitive: true };
  // The plan says its value in clear: nothing says that what is live is a secret. It is none of what policy lists.
  if (isSecret(live)) return { path };
  return {
    path,
    ...(wanted.state === 'literal' && !isPending ? { before: wanted.value } : {}),
    ...(live.state === 'literal' ? { after: live.value } : {}),
  };
}
