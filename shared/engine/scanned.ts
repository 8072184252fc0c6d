import { createHash } from 'node:crypto';
import { canonicalJson } from '../approvals/canonical-json.ts';
import type { Entry } from '../ledger/entry.ts';
import { ignoredPaths } from '../scans/ignored.ts';
import type { ScannedLine, ScannedResource } from '../scans/scanned-line.ts';
import { compare, fingerprint } from '../secrets/fingerprint.ts';
import { addressOf, effectsOf } from './effects.ts';
import { shownChanges } from './inspect.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { ResourceChange } from './op.ts';
import { storable } from './secret-in-identity.ts';

/** A plan refuses a line that was edited outside, and every line that needs it; a scan looks on, and says what putting it back would do. */
export function asRepaired(inspection: Inspection): Inspection {
  const { refusal, ...seen } = inspection;
  const resources = inspection.resources.map((resource): Judged => {
    const { verdict } = resource;
    if (verdict.do !== 'refuse' || verdict.problem.code !== 'DRIFT_CHANGED' || !verdict.drift) return resource;
    const { drift } = verdict;
    return { ...resource, verdict: { do: 'update', drift, ...(drift.replaced ? { replaced: true } : {}) } };
  });
  const left = resources.find(({ verdict }) => verdict.do === 'refuse')?.verdict;
  const other = refusal?.code === 'DRIFT_CHANGED' ? (left?.do === 'refuse' ? left.problem : undefined) : refusal;
  return { ...seen, resources, ...(other ? { refusal: other } : {}) };
}

/** The same without what policy lets differ: that is no drift, and nothing would be done about it. */
export function withoutIgnored(job: Inspecting, { resources, ...inspection }: Inspection): Inspection {
  const kept = resources.map((resource): Judged => {
    const drifted = driftedAs(resource);
    if (drifted === undefined || wantsOther(job, resource.change, resource.standing.entry)) return resource;
    return ignoredOf(job, resource.change, drifted).all ? { ...resource, verdict: { do: 'leave' } } : resource;
  });
  return { ...inspection, resources: kept };
}

const driftedAs = ({ verdict }: Judged): ScannedResource['drifted'] => {
  const found = 'drift' in verdict && !verdict.drift?.accepted ? verdict.drift : undefined;
  return found && (found.kind === 'missing' ? 'missing' : found.replaced ? 'replaced' : 'changed');
};

const ignoredOf = ({ line }: Inspecting, change: ResourceChange, drifted: NonNullable<ScannedResource['drifted']>) =>
  ignoredPaths(line.spec.ignores ?? [], change, drifted);

/** What a look at a line's resources found, each by itself. */
export const scannedOf = (job: Inspecting, { resources }: Inspection): ScannedLine => ({
  looked: 'yes',
  resources: resources.map((resource) => scanned(job, resource)),
});

function scanned(job: Inspecting, resource: Judged): ScannedResource {
  const { world, op, call } = job;
  const { change, live, verdict, standing } = resource;
  const found = 'drift' in verdict ? verdict.drift : undefined;
  const id = live && storable(world, live).id;
  const named = { key: change.key, label: change.label, ...(id === undefined ? {} : { id }), address: addressOf(op, call, change) };
  if (found?.accepted || verdict.do === 'leave') {
    const [shown] = shownChanges([{ change }]);
    return { ...named, ...(found?.accepted ? { accepted: found.accepted } : {}), ...(shown ? { change: shown } : {}) };
  }
  const [effect] = effectsOf(job, [resource]);
  const drifted = driftedAs(resource);
  const ignored = drifted ? ignoredOf(job, change, drifted) : { reasons: [], left: change.fields, all: false };
  const told = drifted !== undefined && !ignored.all;
  const pending = effect !== undefined && (drifted === undefined || wantsOther(job, change, standing.entry));
  const ignoring = ignored.reasons.length > 0 ? { ignored: ignored.reasons } : {};
  if (!told && !pending) return { ...named, ...ignoring };
  const [shown] = shownChanges([{ change: { ...change, fields: ignored.left } }]);
  return {
    ...named,
    ...(told ? { drifted, fingerprint: driftFingerprint(job, resource, drifted, ignored.left) } : {}),
    ...(pending ? { pending: true as const } : {}),
    ...ignoring,
    ...(shown ? { change: shown } : {}),
    ...(effect ? { effect } : {}),
  };
}

/**
 * Whether the plan wants something else of a resource than what was recorded of it. Only fingerprints are recorded: where what is wanted is not
 * known yet, or was recorded by another key, nobody can tell, and then one write is taken to be both.
 */
function wantsOther({ world: { keys } }: Inspecting, { hash }: ResourceChange, entry: Entry | undefined): boolean {
  const recorded = entry?.wrote ?? entry?.fingerprint;
  if (hash === undefined || recorded === undefined) return true;
  return compare(recorded, fingerprint(keys.fingerprint, hash)) !== 'same';
}

/** Only what is live has a part in it, and not what the plan says by now. Where no path is known, the whole of it has. */
function driftFingerprint({ world, op, call }: Inspecting, { change, live }: Judged, drifted: string, left: ResourceChange['fields']): string {
  const held = left.flatMap(({ path, hashBefore }) => (hashBefore === undefined ? [] : [[path, fingerprint(world.keys.fingerprint, hashBefore)] as const]));
  const whole = live && held.length === 0 ? fingerprint(world.keys.fingerprint, live.hash) : undefined;
  const seen = [addressOf(op, call, change), drifted, live === undefined ? null : (storable(world, live).id ?? null), held, whole ?? null];
  return createHash('sha256').update(canonicalJson(seen)).digest('hex');
}
