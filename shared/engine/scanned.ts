import { createHash } from 'node:crypto';
import { canonicalJson } from '../approvals/canonical-json.ts';
import type { ScannedLine, ScannedResource } from '../scans/scanned-line.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { addressOf, effectsOf } from './effects.ts';
import { driftedAs, ignoredOf, wantsOther } from './ignored.ts';
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
  if (verdict.do === 'leave' && verdict.ignored) return { ...named, ignored: verdict.ignored, ...(live ? {} : { gone: true as const }) };
  if (found?.accepted || verdict.do === 'leave') {
    const [shown] = shownChanges([{ change }]);
    return { ...named, ...(found?.accepted ? { accepted: found.accepted } : {}), ...(shown ? { change: shown } : {}) };
  }
  const [effect] = effectsOf(job, [resource]);
  const drifted = driftedAs(verdict);
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

/** Only what is live has a part in it, and not what the plan says by now. Where no path is known, the whole of it has. */
function driftFingerprint({ world, op, call }: Inspecting, { change, live }: Judged, drifted: string, left: ResourceChange['fields']): string {
  const held = left.flatMap(({ path, hashBefore }) => (hashBefore === undefined ? [] : [[path, fingerprint(world.keys.fingerprint, hashBefore)] as const]));
  const whole = live && held.length === 0 ? fingerprint(world.keys.fingerprint, live.hash) : undefined;
  const seen = [addressOf(op, call, change), drifted, live === undefined ? null : (storable(world, live).id ?? null), held, whole ?? null];
  return createHash('sha256').update(canonicalJson(seen)).digest('hex');
}
