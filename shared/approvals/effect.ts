import { compare, type Fingerprint } from '../secrets/fingerprint.ts';

/**
 * What a line would do to one resource, as people approve it. No value, only keyed fingerprints of the old and the new one.
 * `address` is null while even the resource's name waits for another line's output.
 */
export interface Effect {
  readonly address: string | null;
  readonly action: 'create' | 'update';
  /** Changed paths, sorted. */
  readonly paths: readonly string[];
  readonly before?: Fingerprint;
  /** Absent while a value waits for another line's output. */
  readonly after?: Fingerprint;
  /** The outputs that are waited for, `line.output`, sorted. */
  readonly waitsFor: readonly string[];
}

/**
 * Whether every effect a line is about to have is among those approved for it (P7). An approved effect that is not there any
 * more is already satisfied: our own half-done work is not drift.
 */
export function amongApproved(fresh: readonly Effect[], approved: readonly Effect[]): boolean {
  return fresh.every((effect) => approved.some((one) => covers(one, effect)));
}

function covers(approved: Effect, fresh: Effect): boolean {
  if (approved.action !== fresh.action) return false;
  if (approved.address === null) return approved.waitsFor.length > 0;
  if (approved.address !== fresh.address) return false;
  if (!same(approved.before, fresh.before)) return false;
  return approved.waitsFor.length > 0 || same(approved.after, fresh.after);
}

/** Whether two effects are the same for whoever approves them. */
export const sameEffect = (a: Effect, b: Effect): boolean =>
  a.address === b.address &&
  a.action === b.action &&
  same(a.before, b.before) &&
  same(a.after, b.after) &&
  a.paths.join('\n') === b.paths.join('\n') &&
  a.waitsFor.join('\n') === b.waitsFor.join('\n');

const same = (a: Fingerprint | undefined, b: Fingerprint | undefined): boolean => (a === undefined || b === undefined ? a === b : compare(a, b) === 'same');
