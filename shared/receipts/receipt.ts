import type { LedgerLine } from '../ledger/entry.ts';
import type { Head } from '../ledger/head.ts';
import type { RunReport } from '../run/report.ts';

/** What a run did and what is managed after it. The ledger can be rebuilt from the newest one. */
export interface Receipt extends RunReport {
  readonly fence: number;
  readonly ledger: readonly LedgerLine[];
  readonly history: Head['history'];
  /** The scope was destroyed, and nothing has been applied in it since: what a recovery brings back. */
  readonly tombstone?: NonNullable<Head['tombstone']>;
  /** The scope that has taken over what this one managed. The run is that scope's. */
  readonly supersededBy?: string;
}

/** `latest.json`: a receipt, linked to the version it replaced by that one's digest (P5). */
export interface LatestReceipt extends Receipt {
  /** SHA-256, hex, of the bytes of the version before; null for a scope's first. */
  readonly previous: string | null;
}
