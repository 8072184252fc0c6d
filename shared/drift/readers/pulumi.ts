/** What the two forms of `pulumi refresh --preview-only --json` have in common: URNs, states, and how a difference shows in them. */

import type { Masking } from '../masking.ts';
import { urnParts } from '../urn.ts';
import { attributesOf, type Differs, type Disclosure } from './disclose.ts';
import { isList, isMap, type Json, type JsonMap, memberOf } from './json.ts';
import { differences, valueAt, type Way, wayOf } from './paths.ts';
import { inside, isThere, itemsIn, mapIn, type Place, textIn, unreadable } from './place.ts';
import type { Finding } from './reading.ts';

/** What a reader of Pulumi takes, said where it was given something else of it. */
export const refreshHint = 'Give what `pulumi refresh --preview-only --json` prints with PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true.';

export const corruptNote = 'Pulumi says that its state may be damaged.';

export interface PulumiResource {
  readonly urn: string;
  readonly type: string;
}

export function resourceAt(place: Place): PulumiResource {
  const urn = textIn(place);
  const parts = urnParts(urn);
  if (parts === undefined || urn.length > 8192 || /\p{Cc}/u.test(urn)) throw unreadable(place, 'the URN of a resource belongs here');
  return { urn, type: parts.type };
}

/** The key under which Pulumi wraps what is not a plain value, and the signature of a secret. */
const wrapKey = '4dabf18193072939515e22adb298388d';
const secretSignature = '1b47061264138c4ac30d75fd1eb44270';

/** A secret as a stream wraps it, and as a document writes it. */
export const isSecret = (value: Json | undefined): boolean =>
  value === '[secret]' || (isMap(value) && (memberOf(value, wrapKey) === secretSignature || memberOf(value, 'ciphertext') === '[secret]'));

function secretBetween(value: Json | undefined, way: Way): boolean {
  let found = value;
  for (const step of way) {
    if (isSecret(found)) return true;
    found = valueAt(found, [step]);
  }
  return holdsSecret(found);
}

export function holdsSecret(value: Json | undefined): boolean {
  if (isSecret(value)) return true;
  if (isList(value)) return value.some(holdsSecret);
  return isMap(value) && Object.values(value).some(holdsSecret);
}

/** What a wrapper of a secret holds in clear text, as a run with `--show-secrets` writes it, is marked. */
export function markState(state: Place, masking: Pick<Masking, 'mark'>): void {
  const walk = (value: Json | undefined): void => {
    if (isList(value)) value.forEach(walk);
    else if (isMap(value)) {
      if (memberOf(value, wrapKey) === secretSignature) masking.mark(memberOf(value, 'value') ?? memberOf(value, 'plaintext'));
      Object.values(value).forEach(walk);
    }
  };
  walk(state.value);
}

/** Whether a state can have drifted at all: a component and the stack itself are nothing outside. */
export const isCustom = (state: Place): boolean => isThere(state) && memberOf(mapIn(state), 'custom') === true;

/**
 * What differs: the paths that the tool names, else where the outputs of both states do. A drifted secret looks the same on both sides, so
 * that there may be no path although there is drift.
 *
 * @param named the tool's `detailedDiff`, whose keys are paths, and its `diffs`, names of properties; either may be null.
 */
export function differsIn(old: Place, now: Place, named: readonly [Place, Place]): Differs[] {
  const [before, after] = [outputsOf(old), outputsOf(now)];
  const ways = namedWays(named);
  const found = ways.length > 0 ? ways.map((way) => ({ way, before: valueAt(before, way), after: valueAt(after, way) })) : differences(before, after);
  return found.map((one) => (secretBetween(before, one.way) || secretBetween(after, one.way) ? { ...one, sensitive: true } : one));
}

/** The outputs of a state; a state without any has none. */
export function outputsOf(state: Place): JsonMap {
  const outputs = inside(state, 'outputs');
  return isThere(outputs) ? mapIn(outputs) : {};
}

function namedWays([detailed, names]: readonly [Place, Place]): Way[] {
  const paths = isThere(detailed) ? Object.keys(mapIn(detailed)) : [];
  const texts = paths.length > 0 ? paths : itemsIn(names).map(textIn);
  return [...new Set(texts)].map((text) => wayOf(text) ?? [text]);
}

/** A resource that drifted, with what can be said of where. */
export function drifted({ urn, type }: PulumiResource, differs: readonly Differs[], disclosure: Disclosure): Finding {
  const attributes = attributesOf(differs, type, disclosure);
  const unseen = { reason: 'cannot-read', detail: 'Pulumi says that it differs, and both states look the same: a secret does.' } as const;
  const what = attributes.length > 0 ? { attributes } : { attributesUnobserved: unseen };
  return { address: urn, resourceType: type, status: 'drifted', ...what, evidence: { engineCode: 'update' } };
}

export const plainly = ({ urn, type }: PulumiResource, status: 'in-sync' | 'missing', engineCode: string): Finding => ({
  address: urn,
  resourceType: type,
  status,
  evidence: { engineCode },
});

export const unread = ({ urn, type }: PulumiResource, reason: 'read-failed' | 'not-reached' | 'cannot-read', detail: string): Finding => ({
  address: urn,
  resourceType: type,
  status: 'not-observed',
  unobserved: { reason, detail },
});
