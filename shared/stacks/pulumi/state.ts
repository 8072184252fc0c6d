import { canonicalJson } from '../../approvals/canonical-json.ts';
import { plain } from '../../drift/readers/disclose.ts';
import { isList, isMap, type Json, type JsonMap, memberOf, same } from '../../drift/readers/json.ts';
import { inside, isThere, mapIn, type Place } from '../../drift/readers/place.ts';
import { isSecret } from '../../drift/readers/pulumi.ts';
import { type Fingerprint, fingerprint } from '../../secrets/fingerprint.ts';
import type { FingerprintKey } from '../../secrets/keys.ts';

/** What Pulumi knows of a resource at one time. Secrets in it are `[secret]`, whatever stood there. */
export interface PulumiState {
  readonly urn: string;
  readonly id: string;
  readonly custom: boolean;
  /** What the program asks for. */
  readonly inputs: JsonMap;
  /** What the provider has answered. */
  readonly outputs: JsonMap;
  /** A copy that a replacement left behind, to be deleted. */
  readonly leftBehind: boolean;
  /** A deletion takes it out of the state alone. */
  readonly retained: boolean;
}

/** The state of an event, a document or an export, all of which name its parts alike; undefined where there is none. */
export function stateAt(place: Place): PulumiState | undefined {
  if (!isThere(place)) return undefined;
  const state = mapIn(place);
  const text = (key: string): string => (typeof state[key] === 'string' ? state[key] : '');
  return {
    urn: text('urn'),
    id: text('id'),
    custom: memberOf(state, 'custom') === true,
    inputs: propertiesAt(inside(place, 'inputs')),
    outputs: propertiesAt(inside(place, 'outputs')),
    leftBehind: memberOf(state, 'delete') === true,
    retained: memberOf(state, 'retainOnDelete') === true,
  };
}

const propertiesAt = (place: Place): JsonMap => (isThere(place) ? (withoutSecrets(mapIn(place)) as JsonMap) : {});

/** A document writes a secret as a text, a stream and an export wrap it: here they are one. */
function withoutSecrets(value: Json): Json {
  if (isSecret(value)) return '[secret]';
  if (isList(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutSecrets(held)]));
}

/** What stands for a value that is known when it is applied, for each type of value. */
const unknowns: ReadonlySet<unknown> = new Set([
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
]);

export const isUnknown = (value: Json | undefined): boolean => typeof value === 'string' && unknowns.has(value);

export function holdsUnknown(value: Json): boolean {
  if (isList(value)) return value.some(holdsUnknown);
  return isMap(value) ? Object.values(value).some(holdsUnknown) : isUnknown(value);
}

/** Whether what was done is what was foretold, of which some may have been unknown. */
export function cameTrue(foretold: Json | undefined, done: Json | undefined): boolean {
  if (isUnknown(foretold)) return true;
  if (isList(foretold)) return isList(done) && foretold.length === done.length && foretold.every((one, index) => cameTrue(one, done[index]));
  if (!isMap(foretold) || !isMap(done)) return same(foretold, done);
  return [...new Set([...Object.keys(foretold), ...Object.keys(done)])].every((key) => cameTrue(memberOf(foretold, key), memberOf(done, key)));
}

/** Of what is there: its id, what was asked for, and what the provider holds. */
export const fingerprintBefore = (key: FingerprintKey, { id, inputs, outputs }: PulumiState): Fingerprint =>
  fingerprint(key, canonicalJson(plain({ id, inputs, outputs })));

/** Of what is to be: what the program asks for. What the provider will answer, nobody knows before. */
export const fingerprintAfter = (key: FingerprintKey, { inputs }: PulumiState): Fingerprint => fingerprint(key, canonicalJson(plain({ inputs })));
