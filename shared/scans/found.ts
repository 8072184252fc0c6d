import type { Item, Table } from '../ports/table.ts';
import { isText, refuseDamaged } from '../table/damaged.ts';
import { driftFoundPrefix, scopePartition } from '../table/keys.ts';
import type { FailedLook, KnownResource } from './scanned-line.ts';

/**
 * What is known of one line's drift: the item `SCOPE#<scope>` / `DRIFT#<line>`. It is there only where scans are on, unfenced, and no part of
 * the ledger. An older look never writes over a newer one.
 */
export interface DriftFound {
  readonly line: string;
  /** The run whose look stands here, and when that began, ISO 8601. */
  readonly run: string;
  readonly at: string;
  /** When the line was last looked at and nothing of it had drifted, ISO 8601. */
  readonly cleanAt?: string;
  /** What had drifted at the last look that counted. Absent: nothing. */
  readonly drifted?: readonly KnownResource[];
  /** Fingerprints of the drift that people were told of, as far as it is still there. */
  readonly told?: readonly string[];
  /** The run that wrote the line last. */
  readonly lastRun?: string;
  /** The last look failed; how often in a row, and since when. What was found before stands. */
  readonly failed?: FailedLook & { readonly times: number; readonly since: string };
  readonly version: string;
}

export function driftFoundOf(item: Item): DriftFound {
  refuseDamaged(item, `Item ${item.pk} ${item.sk}`, 1, ({ line, run, at, version }) => isText(line) && isText(run) && isText(at) && isText(version));
  const { pk: _pk, sk: _sk, format: _format, writeId: _writeId, ...found } = item;
  return found as unknown as DriftFound;
}

/** Every line of a scope of which a scan knows anything, by line id. */
export async function readAllDriftFound(table: Table, scope: string): Promise<ReadonlyMap<string, DriftFound>> {
  const items = await table.query(scopePartition(scope), driftFoundPrefix);
  return new Map(items.map((item) => [String(item['line']), driftFoundOf(item)]));
}
