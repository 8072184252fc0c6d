import { LockkeeperError, problemOf } from '../errors/error.ts';
import type { Objects } from '../ports/objects.ts';
import { digestOf, latestKey, parseReceipt } from './chain.ts';
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
  const broken = bodies.map((object, at) => brokenLink(object?.body, bodies[at + 1]?.body, at === bodies.length - 1)).find((found) => found !== undefined);
  return { latest, links: bodies.length, ...(broken === undefined ? {} : { broken }) };
}

/** Undefined: the version parses and names the digest of the one before it. */
function brokenLink(body: string | undefined, before: string | undefined, isFirst: boolean): string | undefined {
  if (body === undefined) return 'a version vanished while the chain was read';
  try {
    const { previous, run } = parseReceipt(body);
    if (isFirst) return previous === null ? undefined : `the receipt of run ${run} follows one that is gone`;
    return before !== undefined && previous === digestOf(before) ? undefined : `the receipt of run ${run} does not follow the one before it`;
  } catch (error) {
    if (error instanceof LockkeeperError) return problemOf(error).message;
    throw error;
  }
}
