import { canonicalJson } from '../../approvals/canonical-json.ts';
import { fingerprint } from '../../secrets/fingerprint.ts';
import type { FingerprintKey } from '../../secrets/keys.ts';
import type { Attribute, AttributeFingerprints } from '../record.ts';
import { ExactNumber, isList, isMap, type Json } from './json.ts';
import { type Difference, pathText } from './paths.ts';
import { mayShow, type Shown } from './show.ts';

/** What of an input may be told, and how. */
export interface Disclosure {
  /** The attributes whose values may be shown. Every other one is its path alone, with fingerprints where there is a key. */
  readonly show: readonly Shown[];
  readonly key?: FingerprintKey;
}

/** What differs, and whether the tool marked it. */
export interface Differs extends Difference {
  readonly sensitive?: boolean;
}

/**
 * The attributes of one resource, one for each path. A value is told where the list says so; the
 * masking takes away what is marked somewhere, and `driftRecord` what has the name of a secret.
 *
 * @param type the resource's type, by which the list names attributes.
 */
export function attributesOf(differs: readonly Differs[], type: string | undefined, disclosure: Disclosure): Attribute[] {
  const byPath = new Map<string, Attribute>();
  for (const one of differs) {
    const path = pathText(one.way);
    if (!byPath.has(path)) byPath.set(path, { path, ...valuesOf(one, type, disclosure) });
  }
  return [...byPath.values()];
}

function valuesOf({ way, before, after, sensitive }: Differs, type: string | undefined, disclosure: Disclosure): Omit<Attribute, 'path'> {
  const { show, key } = disclosure;
  const fingerprints = fingerprintsOf(before, after, key);
  const rest = fingerprints === undefined ? {} : { fingerprints };
  if (sensitive === true) return { sensitive, ...rest };
  if (!mayShow(show, type, way) || tooDeep(before) || tooDeep(after)) return rest;
  return { ...(before === undefined ? {} : { before: plain(before) }), ...(after === undefined ? {} : { after: plain(after) }) };
}

function fingerprintsOf(before: Json | undefined, after: Json | undefined, key: FingerprintKey | undefined): AttributeFingerprints | undefined {
  if (key === undefined) return undefined;
  const mac = (value: Json | undefined): string | undefined => (value === undefined ? undefined : fingerprint(key, canonicalJson(plain(value))).mac);
  const [was, is] = [mac(before), mac(after)];
  return { key: key.id, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
}

/** As JSON holds it: a number that needs it as its digits. */
export function plain(value: Json): unknown {
  if (value instanceof ExactNumber) return value.digits;
  if (isList(value)) return value.map(plain);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plain(held)])) : value;
}

/** A record holds values of so many levels. */
const deepestShown = 60;

function tooDeep(value: Json | undefined, depth = 0): boolean {
  if (depth > deepestShown) return true;
  if (isList(value)) return value.some((item) => tooDeep(item, depth + 1));
  return isMap(value) && Object.values(value).some((held) => tooDeep(held, depth + 1));
}
