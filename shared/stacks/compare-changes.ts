import { compare, type Fingerprint } from '../secrets/fingerprint.ts';
import type { StackChange } from './tool-work.ts';

/** In what two change sets of one stack differ, by address, sorted. Both empty: they are the same. */
export interface ChangesDiffer {
  /** Something else is to be done: an address is new, gone, or its actions are others or in another order. */
  readonly actions: readonly string[];
  /** The same is to be done to what is not, or will not be, the same. */
  readonly values: readonly string[];
}

/**
 * Compares what was approved with what a fresh plan says (R4.9): addresses and actions, what stays as it is left out, order of the actions
 * significant, reads counted, and of an address that is there twice the first. Beside that the fingerprints of both sides, so that drift
 * in attributes alone is seen (R4.10, R4.13): fingerprints of different keys are no difference.
 */
export function compareChanges(approved: readonly StackChange[], fresh: readonly StackChange[]): ChangesDiffer {
  const [before, now] = [byAddress(approved), byAddress(fresh)];
  const addresses = [...new Set([...before.keys(), ...now.keys()])].sort();
  const actions = addresses.filter((address) => doneTo(before.get(address)) !== doneTo(now.get(address)));
  const values = addresses.filter((address) => !actions.includes(address) && otherValues(before.get(address), now.get(address)));
  return { actions, values };
}

/**
 * Addresses of what a fresh plan would do and nobody has approved. What was approved and is no longer to be done is done already; what is only
 * read needs nobody's word.
 */
export function besideApproved(approved: readonly StackChange[], fresh: readonly StackChange[]): string[] {
  const writes = fresh.filter((change) => !isOnlyRead(change));
  const wanted = new Set(writes.map(({ address }) => address));
  const { actions, values } = compareChanges(
    approved.filter(({ address }) => wanted.has(address)),
    writes,
  );
  return [...actions, ...values].sort();
}

const isOnlyRead = ({ actions, previousAddress }: StackChange): boolean => previousAddress === undefined && actions.every((action) => action === 'read');

/** Addresses that an apply of these changes makes, and that were not there before: of a replacement something was. */
export const madeBy = (changes: readonly StackChange[]): string[] =>
  changes.filter(({ type, actions }) => type !== 'output' && actions.join() === 'create').map(({ address }) => address);

/**
 * Addresses that a removal would touch, and that are not among these. Outputs are nothing that is there.
 *
 * @param mask what an address comes to where it is remembered: a secret may be part of one.
 */
export function besideOwn(own: readonly string[], removal: readonly StackChange[], mask: (address: string) => string): string[] {
  const ours = new Set(own);
  const touched = [...byAddress(removal.filter((change) => change.type !== 'output' && !isOnlyRead(change))).keys()];
  return touched.filter((address) => !ours.has(mask(address))).sort();
}

function byAddress(changes: readonly StackChange[]): Map<string, StackChange> {
  const first = new Map<string, StackChange>();
  for (const change of changes) {
    const stays = change.actions.every((action) => action === 'none') && change.previousAddress === undefined;
    if (!stays && !first.has(change.address)) first.set(change.address, change);
  }
  return first;
}

/** A move is part of it: it is applied like everything else. */
const doneTo = (change: StackChange | undefined): string | undefined =>
  change === undefined ? undefined : JSON.stringify([change.actions, change.previousAddress]);

const otherValues = (one: StackChange | undefined, other: StackChange | undefined): boolean =>
  otherThan(one?.before, other?.before) || otherThan(one?.after, other?.after);

function otherThan(one: Fingerprint | undefined, other: Fingerprint | undefined): boolean {
  if (one === undefined || other === undefined) return one !== other;
  return compare(one, other) === 'different';
}
