import { LockkeeperError, problemOf } from '../errors/error.ts';
import type { Objects } from '../ports/objects.ts';
import { latestKey, parseReceipt } from '../receipts/chain.ts';
import type { LatestReceipt } from '../receipts/receipt.ts';
import { brokenIn } from '../receipts/verify-chain.ts';
import type { Recovery } from '../run/report.ts';

/** The receipt that a scope can be rebuilt from. */
export interface GoodReceipt {
  readonly receipt: LatestReceipt;
  /** Newer versions that are damaged, newest first. */
  readonly skipped: Recovery['skipped'];
  /** What is wrong with the chain from that receipt on. */
  readonly broken?: string;
}

/**
 * The newest version of a scope's `latest.json` that can be read. One of a newer format is never gone back past: whoever wrote it knew more.
 *
 * @throws LockkeeperError NOT_FOUND for a scope without a receipt; RECEIPT_CORRUPT when none can be read; RECEIPT_VERSION.
 */
export async function goodReceipt(objects: Objects, path: string): Promise<GoodReceipt> {
  const key = latestKey(path);
  const versions = await objects.versions(key);
  if (versions.length === 0) throw new LockkeeperError({ code: 'NOT_FOUND', message: 'This scope has no receipt to recover from.' });
  const skipped: { version: string; at: string; why: string }[] = [];
  for (const [index, { version, at }] of versions.entries()) {
    const body = (await objects.get(key, version))?.body;
    const read = body === undefined ? { why: 'It vanished while it was read.' } : readOrWhy(body);
    if ('receipt' in read) {
      const older = await Promise.all(versions.slice(index).map(async (one) => (await objects.get(key, one.version))?.body));
      const broken = brokenIn(older);
      return { receipt: read.receipt, skipped, ...(broken === undefined ? {} : { broken }) };
    }
    skipped.push({ version, at: new Date(at).toISOString(), why: read.why });
  }
  throw new LockkeeperError({
    code: 'RECEIPT_CORRUPT',
    message: `None of the ${versions.length} versions of this scope’s receipt can be read.`,
    hint: 'Restore the table to a point in time before the damage: DynamoDB keeps the last days of it.',
  });
}

function readOrWhy(body: string): { readonly receipt: LatestReceipt } | { readonly why: string } {
  try {
    return { receipt: parseReceipt(body) };
  } catch (error) {
    const { code, message } = problemOf(error);
    if (code !== 'RECEIPT_CORRUPT') throw error;
    return { why: message };
  }
}
