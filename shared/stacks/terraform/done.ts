import { isMap, type Json, same } from '../../drift/readers/json.ts';
import { inside, isThere, itemsIn, type Place, under, whole } from '../../drift/readers/place.ts';
import { deposedAddress } from '../../drift/readers/reading.ts';
import { objectsOfState } from '../../drift/readers/terraform.ts';
import type { StackAction, StackChange } from '../tool-work.ts';
import { unknownIn } from './unknown.ts';

/** What the tool reported to have finished, by address, in its order. */
export type Finished = ReadonlyMap<string, readonly StackAction[]>;

export interface DoneAndNot {
  readonly done: readonly string[];
  readonly notDone: readonly string[];
  /** Of `notDone`: what the tool reported to have finished. It may be there, and the state does not know it. */
  readonly unrecorded: readonly string[];
}

/**
 * What an apply that broke off has done of its plan, and what it has not: read back from the state as it is now, since the tool may have died
 * before it said so. Where the state tells no difference, what the tool reported counts. Reads and outputs are neither.
 *
 * @param plan `show -json` of the plan file. @param state `show -json` of the state after it; undefined when it cannot be read: then the reports count alone.
 */
export function doneOf(changes: readonly StackChange[], plan: Json, state: Json | undefined, finished: Finished): DoneAndNot {
  const planned = new Map(itemsIn(under(whole(plan), 'resource_changes')).map((row) => [addressOf(row), under(row, 'change')] as const));
  const there = state === undefined ? undefined : objectsThere(state);
  const writes = changes.filter(({ actions, type }) => type !== 'output' && !actions.every((action) => action === 'read'));
  const isDone = (change: StackChange): boolean => {
    const reported = isReported(change, finished);
    return there === undefined ? reported : isInState(change, planned.get(change.address), there, reported);
  };
  const [done, notDone] = [writes.filter(isDone), writes.filter((change) => !isDone(change))];
  const unrecorded = notDone.filter((change) => isReported(change, finished) && finished.has(change.address));
  return { done: done.map(addressIn), notDone: notDone.map(addressIn), unrecorded: unrecorded.map(addressIn) };
}

const addressIn = ({ address }: StackChange): string => address;

function addressOf(row: Place): string {
  const [address, deposed] = [String(under(row, 'address').value), under(row, 'deposed').value];
  return typeof deposed === 'string' ? deposedAddress(address, deposed) : address;
}

interface InState {
  readonly values: Json | undefined;
  readonly tainted: boolean;
}

function objectsThere(state: Json): Map<string, InState> {
  const values = inside(whole(state), 'values');
  const objects = isThere(values) ? objectsOfState(values) : [];
  return new Map(objects.map(({ at, address }) => [address, { values: under(at, 'values').value, tainted: under(at, 'tainted').value === true }]));
}

const isReported = ({ address, actions }: StackChange, finished: Finished): boolean => {
  const did = finished.get(address) ?? [];
  return actions.filter((action) => ['create', 'update', 'delete'].includes(action)).every((action) => did.includes(action));
};

function isInState(
  { address, actions, previousAddress }: StackChange,
  change: Place | undefined,
  there: ReadonlyMap<string, InState>,
  reported: boolean,
): boolean {
  const now = there.get(address);
  if (actions.every((action) => action === 'delete' || action === 'forget')) return now === undefined;
  if (now === undefined || now.tainted) return false;
  if (previousAddress !== undefined && there.has(previousAddress)) return false;
  const made = actions.some((action) => action === 'create');
  const replaced = made && actions.length > 1;
  // The new one is there before the old one goes.
  if (replaced && [...there.keys()].some((key) => key.startsWith(`${address} (deposed `))) return false;
  if ((made && !replaced) || actions.every((action) => action === 'none' || action === 'import')) return true;
  return reported || (change !== undefined && hasBecome(change, now.values));
}

/** Whether what is recorded is what was to be, and no longer what was: both can be told only by what the plan knows. */
function hasBecome(change: Place, values: Json | undefined): boolean {
  const [before, after, unknown] = ['before', 'after', 'after_unknown'].map((name) => under(change, name).value);
  return !same(before, values) && holds(values, after, unknownIn(unknown));
}

/** Whether a value has everything that is known of another. */
function holds(value: Json | undefined, known: Json | undefined, unknown: Json | undefined): boolean {
  if (unknown === true || known === undefined) return true;
  if (isMap(known) && isMap(value)) {
    return Object.entries(known).every(([key, part]) => holds(value[key], part, isMap(unknown) ? unknown[key] : undefined));
  }
  return unknown !== undefined || same(value, known);
}
