import type { Tenure } from '../lease/lease.ts';
import type { Item, Table } from '../ports/table.ts';
import { absent, all, atMost, equal } from '../table/condition.ts';
import { isNumber, isRecord, isText, refuseDamaged } from '../table/damaged.ts';
import { ledgerKey, ledgerPrefix, scopePartition, scopeText } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import type { LedgerLine } from './entry.ts';

/** What a ledger item may take, leaving room below DynamoDB's 400 KB. */
export const largestLine = 350 * 1024;

/** Somebody wrote the ledger line since it was read, or our fence is no longer the newest: read everything again. */
export class LedgerMoved extends Error {
  override readonly name = 'LedgerMoved';
}

export async function readLedgerLine(table: Table, scope: string, line: string): Promise<LedgerLine | undefined> {
  const item = await table.get(ledgerKey(scope, line));
  return item && ledgerLineOf(item);
}

/** Every ledger line of a scope, strongly consistent, by line id. */
export async function readLedger(table: Table, scope: string): Promise<LedgerLine[]> {
  return (await table.query(scopePartition(scope), ledgerPrefix)).map(ledgerLineOf);
}

/** Creates the line's empty item under the lease, so that sealing reaches whatever a late worker could write (P4). */
export async function createLedgerLine(
  writer: Writer,
  scope: string,
  tenure: Tenure,
  run: string,
  line: Omit<LedgerLine, 'version' | 'fence' | 'lastRun' | 'entries'>,
): Promise<void> {
  const put = (writeId: string) => ({ put: { ...line, entries: [], format: 1, born: writeId, version: writeId, fence: tenure.fence, lastRun: run } });
  await write(writer, ledgerKey(scope, line.line), put, absent);
}

/**
 * Writes a line's content: only over the version that was read, and with a fence not below the highest it has seen.
 * Returns the line as it now stands.
 *
 * @throws LedgerMoved when either does not hold.
 */
export async function saveLedgerLine(
  writer: Writer,
  scope: string,
  tenure: Tenure,
  run: string,
  before: LedgerLine,
  next: Partial<Pick<LedgerLine, 'entries' | 'needs' | 'adapter' | 'op' | 'writes' | 'wrote' | 'protected' | 'told' | 'external'>> & {
    /** null: told, and taken away. */ readonly left?: LedgerLine['left'] | null;
  },
): Promise<LedgerLine> {
  const { left, ...fields } = next;
  const content = { ...fields, ...(left ? { left } : {}), lastRun: run };
  const unmoved = all(equal('version', before.version), atMost('fence', tenure.fence));
  const { told } = before;
  const isOver = told !== undefined && told.run !== run && next.told === undefined;
  const remove = [...(isOver ? ['told'] : []), ...(left === null ? ['left'] : [])];
  const change = (version: string) => ({ set: { ...content, fence: tenure.fence, version }, ...(remove.length > 0 ? { remove } : {}) });
  const result = await write(writer, ledgerKey(scope, before.line), change, unmoved);
  if (!result.won) throw new LedgerMoved(`ledger line ${before.line} moved`);
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !remove.includes(name))) as unknown as LedgerLine;
  return { ...kept, ...content, fence: tenure.fence, version: result.writeId };
}

/** Removes the item of a line that holds nothing any more. Nothing happens when somebody has written it since. */
export async function removeLedgerLine(writer: Writer, scope: string, tenure: Tenure, line: LedgerLine): Promise<void> {
  await write(writer, ledgerKey(scope, line.line), { delete: true }, all(equal('version', line.version), atMost('fence', tenure.fence)));
}

/** @throws LockkeeperError RECEIPT_VERSION, RECEIPT_CORRUPT. */
export function ledgerLineOf(item: Item): LedgerLine {
  refuseDamaged(item, `Ledger item ${item.sk} of ${scopeText(item.pk)}`, 1, isWholeLine);
  const { pk: _pk, sk: _sk, format: _format, writeId: _writeId, ...line } = item;
  return line as unknown as LedgerLine;
}

/** Whether a line has what every line has, in the table and in receipts. */
export const isWholeLine = ({ line, version, fence, needs, entries }: Readonly<Record<string, unknown>>): boolean =>
  isText(line) && isText(version) && isNumber(fence) && Array.isArray(needs) && Array.isArray(entries) && entries.every(isEntry);

const isEntry = (entry: unknown): boolean =>
  isRecord(entry) && isText(entry['adapter']) && isText(entry['op']) && isText(entry['key']) && isText(entry['createdBy']) && isRecord(entry['account']);
