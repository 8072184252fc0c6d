import { isList, isMap, type Json, type JsonMap, memberOf } from './json.ts';
import { UnreadableError } from './unreadable.ts';

/**
 * A value of a document with the JSON pointer to it. Pointers are made of the names that a reader looks for and of numbers, never of keys
 * that the document chose: those may be secret.
 */
export interface Place {
  readonly value: Json | undefined;
  readonly pointer: string;
}

export const whole = (value: Json): Place => ({ value, pointer: '' });

/** A member of a map, there or not. */
export function under(place: Place, key: string): Place {
  return { value: memberOf(mapIn(place), key), pointer: `${place.pointer}/${key}` };
}

/** A member of a map that need not be there either. */
export const inside = (place: Place, key: string): Place => (isThere(place) ? under(place, key) : { value: undefined, pointer: `${place.pointer}/${key}` });

/** Says that what stands here is not what it has to be. */
export const unreadable = ({ pointer }: Place, says: string, hint?: string): UnreadableError => new UnreadableError(says, { pointer }, hint);

export const isThere = ({ value }: Place): boolean => value !== undefined && value !== null;

export function mapIn(place: Place): JsonMap {
  if (!isMap(place.value)) throw unreadable(place, `a map belongs here${orNothing(place)}`);
  return place.value;
}

/** The items of a list; none where there is no list, which some tools write as null. */
export function itemsIn(place: Place): readonly Place[] {
  if (!isThere(place)) return [];
  if (!isList(place.value)) throw unreadable(place, 'a list belongs here');
  return place.value.map((value, index) => ({ value, pointer: `${place.pointer}/${index}` }));
}

/** The members of a map whose keys the document chose, by their number in the pointer; none where there is no map. */
export function membersIn(place: Place): readonly (readonly [string, Place])[] {
  if (!isThere(place)) return [];
  return Object.entries(mapIn(place)).map(([key, value], index) => [key, { value, pointer: `${place.pointer}/(member ${index + 1})` }]);
}

export function textIn(place: Place): string {
  if (typeof place.value !== 'string' || place.value === '') throw unreadable(place, `a text belongs here${orNothing(place)}`);
  return place.value;
}

/** A text of a form of its own, as a version or a type. */
export function textOf(place: Place, form: RegExp, what: string): string {
  const text = textIn(place);
  if (!form.test(text)) throw unreadable(place, `${what} belongs here`);
  return text;
}

export function textOrNone(place: Place, form: RegExp, what: string): string | undefined {
  return isThere(place) && place.value !== '' ? textOf(place, form, what) : undefined;
}

/** True or false; false where nothing stands. */
export function flagIn(place: Place): boolean {
  if (!isThere(place)) return false;
  if (typeof place.value !== 'boolean') throw unreadable(place, 'true or false belongs here');
  return place.value;
}

/** A count: a whole number from 0 on. */
export function countIn(place: Place): number {
  if (typeof place.value !== 'number' || !Number.isSafeInteger(place.value) || place.value < 0) throw unreadable(place, 'a count belongs here');
  return place.value;
}

const orNothing = ({ value }: Place): string => (value === undefined ? ', and nothing stands here' : '');

/** A name that a person gave or an engine made: any text of one line, not too long. */
export const name = /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,2048}$/u;
/** An engine's own word, as `UNOWNED` or `delete_because_no_module`. */
export const token = /^[A-Za-z][A-Za-z0-9_-]{0,79}$/;
export const version = /^v?\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][A-Za-z0-9.-]{1,40})?$/;
