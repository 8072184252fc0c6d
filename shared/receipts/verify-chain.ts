import { problemOf } from '../errors/error.ts';
import type { Objects } from '../ports/objects.ts';
import { digestOf, latestKey, parseReceipt, receiptIn } from './chain.ts';
import type { LatestReceipt } from './receipt.ts';

/** What the versions of a scope's `latest.json` come to. `broken` says what is wrong with the chain; absent: every link holds. */
export interface Chain {
  readonly latest: LatestReceipt;
  readonly links: number;
  readonly broken?: string;
}

/**
 * Reads every version of a scope's newest receipt and holds each against the digest that its successor names (P5, I6).
 * Undefined: the scope has no receipt.
 *
 * @throws LockkeeperError RECEIPT_CORRUPT, RECEIPT_VERSION when the newest version does not parse.
 */
export async function verifyChain(objects: Objects, path: string): Promise<Chain | undefined> {
  const key = latestKey(path);
  const versions = await objects.versions(key);
  const bodies = await Promise.all(versions.map(({ version }) => objects.get(key, version)));
  const [newest] = bodies;
  if (!newest) return undefined;
  const latest = parseReceipt(newest.body);
  const broken = brokenIn(bodies.map((object) => object?.body));
  return { latest, links: bodies.length, ...(broken === undefined ? {} : { broken }) };
}

/**
 * What is wrong with a chain, newest first; undefined: every version parses and names the digest of the one before it. Damaged versions that a
 * recovery went back past are no fault of the chain any more: its receipt names the newest of them by its bytes, and says that it did.
 */
export function brokenIn(bodies: readonly (string | undefined)[]): string | undefined {
  let after: { readonly receipt: LatestReceipt | undefined; readonly bridged: boolean } | undefined;
  for (const body of bodies) {
    if (body === undefined) return 'a version vanished while the chain was read';
    const receipt = receiptIn(body);
    const named = after?.receipt === undefined || after.receipt.previous === digestOf(body);
    if (!named) return `the receipt of run ${after?.receipt?.run} does not follow the one before it`;
    const bridged = receipt === undefined && (after?.bridged === true || after?.receipt?.kind === 'recover');
    if (receipt === undefined && !bridged) return problemOf(thrownBy(body)).message;
    after = { receipt, bridged };
  }
  const first = after?.receipt;
  return first && first.previous !== null ? `the receipt of run ${first.run} follows one that is gone` : undefined;
}

function thrownBy(body: string): unknown {
  try {
    return parseReceipt(body);
  } catch (error) {
    return error;
  }
}
