import { createHash } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import { isLive, type LeaseWorld, readLease } from '../lease/lease.ts';
import { isWholeLine } from '../ledger/ledger-line.ts';
import type { Objects } from '../ports/objects.ts';
import { isRecord, isText } from '../table/damaged.ts';
import type { LatestReceipt, Receipt } from './receipt.ts';

export const receiptKey = (path: string, run: string, round: number): string => `receipts/${path}/${run}-${round}.json`;
export const latestKey = (path: string): string => `receipts/${path}/latest.json`;

/** The digest by which the next version names this one. */
export const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** `lost`: the lease went to another run meanwhile, which links its own receipt. */
export type Stored = 'stored' | 'lost';

/**
 * Stores a round's receipt: its own object, written once, then the newest link of the chain (P5).
 *
 *     read latest (E1) ─▶ previous = its digest ─▶ put If-Match E1 ──412──▶ our own round on top: done
 *                                                                    └────▶ lease still ours: read, link again; else stop
 *
 * The link lives in `latest.json` alone: a fenced-out run that stored its own object blocks nobody.
 *
 * @param at `overDamaged`: a version that does not parse is linked like any other, by its bytes (a recovery). Otherwise it stops the run.
 */
export async function storeReceipt(
  world: LeaseWorld & { objects: Objects },
  at: { path: string; scope: string; overDamaged?: true },
  receipt: Receipt,
): Promise<Stored> {
  const { objects } = world;
  const own = await storeOnce(objects, receiptKey(at.path, receipt.run, receipt.round), receipt);
  for (;;) {
    const top = await objects.get(latestKey(at.path));
    const newest = top && (at.overDamaged ? receiptIn(top.body) : parseReceipt(top.body));
    if (newest && isRound(newest, own)) return 'stored';
    // Whoever took the lease over has settled: what a late worker knows of the ledger must not lie on top of that.
    if (newest && newest.fence > own.fence) return 'lost';
    const link: LatestReceipt = { ...own, previous: top ? digestOf(top.body) : null };
    const put = await objects.put(latestKey(at.path), JSON.stringify(link), top ? { ifMatch: top.etag } : { ifAbsent: true });
    if (put.stored) return 'stored';
    const lease = await readLease(world, at.scope);
    if (lease?.holder !== own.run || !isLive(lease, world.clock.now())) return 'lost';
  }
}

/** A settle that was cut off left the round's receipt behind: that one is what is linked, so that both objects say the same. */
async function storeOnce(objects: Objects, key: string, receipt: Receipt): Promise<Receipt> {
  const put = await objects.put(key, JSON.stringify(receipt), { ifAbsent: true });
  const there = put.stored ? undefined : await objects.get(key);
  return there ? (JSON.parse(there.body) as Receipt) : receipt;
}

const isRound = (top: LatestReceipt, receipt: Receipt): boolean => top.run === receipt.run && top.round === receipt.round;

/** A stored receipt, or undefined where the bytes are none that this version reads. */
export function receiptIn(body: string): LatestReceipt | undefined {
  try {
    return parseReceipt(body);
  } catch (error) {
    if (error instanceof LockkeeperError) return undefined;
    throw error;
  }
}

/**
 * @throws LockkeeperError RECEIPT_CORRUPT, RECEIPT_VERSION: never treated as "nothing managed".
 */
export function parseReceipt(body: string): LatestReceipt {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: 'A stored receipt is not JSON.' }, { cause });
  }
  const receipt = parsed as Partial<LatestReceipt> | null;
  if (typeof receipt?.format === 'number' && receipt.format > 1)
    throw new LockkeeperError({ code: 'RECEIPT_VERSION', message: `A stored receipt has format ${String(receipt.format)}; this version reads format 1.` });
  if (receipt?.format !== 1 || !isWhole(receipt)) {
    throw new LockkeeperError({ code: 'RECEIPT_CORRUPT', message: 'A stored receipt lacks what every receipt has.' });
  }
  return receipt as LatestReceipt;
}

/** Each grant of a lease adds one: no scope gets there, and above 2^53 a number plus one is the number. */
const mostFence = 2 ** 50;

/** What the chain and a recovery go by. A ledger that cannot be read is not an empty one (R1.83). */
function isWhole({ run, fence, ledger, history, previous }: Partial<LatestReceipt>): boolean {
  const isLinked = previous === null || isText(previous);
  return (
    isText(run) && isFence(fence) && isLinked && Array.isArray(history) && Array.isArray(ledger) && ledger.every((line) => isRecord(line) && isWholeLine(line))
  );
}

const isFence = (fence: unknown): boolean => Number.isSafeInteger(fence) && Number(fence) >= 0 && Number(fence) < mostFence;
