import type { Objects } from '../ports/objects.ts';
import type { KeptObject } from '../run/items.ts';
import type { SealingKey } from '../secrets/keys.ts';
import { open, seal } from '../secrets/seal.ts';
import { sealedObject } from './sealed-object.ts';
import type { SealedObject } from './tool-work.ts';

/** What it takes to keep an encrypted object, and to open one. */
export interface Keeping {
  readonly objects: Pick<Objects, 'put'>;
  readonly keys: { readonly sealing: SealingKey };
}

/** Where the encrypted objects of stacks lie: the files of a commit, saved plans, and what tools said. */
export const sourcesPrefix = 'sources/';
export const savedPlansPrefix = 'plans/saved/';
export const wordsPrefix = 'words/';

/**
 * Puts bytes encrypted under a key of their own. The object's name is a fresh one each time, so that whoever repeats this never meets an object
 * whose key nobody has: what nothing names runs out with its prefix.
 *
 * @param below the beginning of the name. @param id fresh.
 * @throws LockkeeperError STORE_UNREACHABLE.
 */
export async function keepObject({ objects, keys: { sealing } }: Keeping, below: string, id: string, bytes: Uint8Array): Promise<KeptObject> {
  const { body, opens } = sealedObject(`${below}${id}`, bytes, randomBytes(sealing));
  await objects.put(opens.object, body, { ifAbsent: true });
  return { object: opens.object, sealed: seal(sealing, opens.key, placeOf(opens.object)), sha256: opens.sha256 };
}

/**
 * Puts bytes encrypted for people who may read both the bucket and the item that names them: what opens them is given back as it is, and the long-lived
 * key of the stack is in nobody's hand for it.
 *
 * @throws LockkeeperError STORE_UNREACHABLE.
 */
export async function keepForPeople({ objects, keys: { sealing } }: Keeping, below: string, id: string, bytes: Uint8Array): Promise<SealedObject> {
  const { body, opens } = sealedObject(`${below}${id}`, bytes, randomBytes(sealing));
  await objects.put(opens.object, body, { ifAbsent: true });
  return opens;
}

/**
 * What opens a kept object, for whoever is to read it.
 *
 * @throws LockkeeperError SEAL_UNREADABLE: the stack's key is another one by now.
 */
export const openerOf = ({ sealing }: Keeping['keys'], { object, sealed, sha256 }: KeptObject): SealedObject => ({
  object,
  key: open(sealing, sealed, placeOf(object)),
  sha256,
});

const placeOf = (object: string): string => `key of ${object}`;

/** Twelve fresh bytes at a time, as many as are wanted. */
const randomBytes =
  ({ nonce }: SealingKey) =>
  (count: number): Uint8Array =>
    Buffer.concat(Array.from({ length: Math.ceil(count / 12) }, () => nonce())).subarray(0, count);
