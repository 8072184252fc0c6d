import type { Entry } from '../ledger/entry.ts';
import { ignoredPaths, rulesOf } from '../scans/ignored.ts';
import type { ScannedResource } from '../scans/scanned-line.ts';
import { compare, fingerprint } from '../secrets/fingerprint.ts';
import type { Inspecting, Judged } from './inspecting.ts';
import type { Evidence, Verdict } from './judge.ts';
import type { ResourceChange } from './op.ts';

type Ruling = Pick<Inspecting, 'world' | 'line'>;

/**
 * What policy lets differ is left as it is, by an apply as by a scan (R2.2): where all that differs from what was recorded is ignored, and the
 * plan wants what was recorded. What the plan wants otherwise is no edit alone, and is judged as ever.
 */
export function unlessIgnored(job: Ruling, { change, entry }: Pick<Evidence, 'change' | 'entry'>, verdict: Verdict): Verdict {
  const drifted = driftedAs(verdict);
  if (drifted === undefined) return verdict;
  const { all, reasons } = ignoredOf(job, change, drifted);
  return all && !wantsOther(job, change, entry) ? { do: 'leave', ignored: reasons } : verdict;
}

/** In which way a resource is not what was recorded. What a person has accepted is no drift. */
export const driftedAs = (verdict: Verdict): ScannedResource['drifted'] => {
  const found = 'drift' in verdict && !verdict.drift?.accepted ? verdict.drift : undefined;
  return found && (found.kind === 'missing' ? 'missing' : found.replaced ? 'replaced' : 'changed');
};

/** What of a drifted resource policy lets differ. */
export const ignoredOf = ({ line }: Pick<Inspecting, 'line'>, change: ResourceChange, drifted: NonNullable<ScannedResource['drifted']>) =>
  ignoredPaths(line.spec.ignores ?? [], change, drifted);

/**
 * Whether the plan wants something else of a resource than what was recorded of it. Only fingerprints are recorded: where what is wanted is not
 * known yet, or was recorded by another key, nobody can tell, and then one write is taken to be both.
 */
export function wantsOther({ world: { keys } }: Pick<Inspecting, 'world'>, { hash }: ResourceChange, entry: Entry | undefined): boolean {
  const recorded = entry?.wrote ?? entry?.fingerprint;
  if (hash === undefined || recorded === undefined) return true;
  return compare(recorded, fingerprint(keys.fingerprint, hash)) !== 'same';
}

/** The same where it is known: both fingerprints are there, and of one key. */
export function wantsOtherForSure({ world: { keys } }: Pick<Inspecting, 'world'>, { hash }: ResourceChange, entry: Entry | undefined): boolean {
  const recorded = entry?.wrote ?? entry?.fingerprint;
  return hash !== undefined && recorded !== undefined && compare(recorded, fingerprint(keys.fingerprint, hash)) === 'different';
}

/** What a line says of which something is left because policy lets it differ. */
export function ignoredNote(resources: readonly Judged[]): Readonly<Record<string, string>> {
  const said = resources.flatMap(({ change: { label }, verdict }) => {
    const reasons = verdict.do === 'leave' ? (verdict.ignored ?? []) : [];
    return [...new Set(reasons.map(({ reason }) => `${label}: ${reason}`))];
  });
  return said.length === 0 ? {} : { ignored: said.join('; ') };
}

/** What of a line's resources is not looked at, as it stands in a plan that people approve: the key of one, or `key#path`. Sorted. */
export function notLookedAt({ line }: Pick<Inspecting, 'line'>, resources: readonly Judged[]): string[] {
  const all = resources.flatMap(({ change }) =>
    rulesOf(line.spec.ignores ?? [], change).map(({ path }) => (path === undefined ? change.key : `${change.key}#${path}`)),
  );
  return [...new Set(all)].sort();
}
