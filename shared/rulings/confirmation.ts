import type { Item, Table } from '../ports/table.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';
import { equal } from '../table/condition.ts';
import { confirmKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/** A person's word that a manual step, or its undoing, is done: bound to exactly the text they were shown. */
export interface Confirmation {
  readonly shown: Fingerprint;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly writeId: string;
}

/** Read under the lease, strongly; never fenced: it is a person's, not a run's. */
export async function readConfirmation(table: Table, scope: string, line: string): Promise<Confirmation | undefined> {
  const item: Item | undefined = await table.get(confirmKey(scope, line));
  return item && { shown: item['shown'] as Fingerprint, by: item['by'] as string, at: item['at'] as string, writeId: item['writeId'] as string };
}

/** Stores it over whatever was said before: the last word wins, and the same word twice is one. */
export async function confirm(writer: Writer, scope: string, line: string, word: Omit<Confirmation, 'writeId'>): Promise<void> {
  await write(writer, confirmKey(scope, line), { put: { format: 1, line, ...word } }, { is: 'always' });
}

/** Takes a word away that has been recorded, on condition that it is the one that was read: a newer one stays. */
export async function dropConfirmation(writer: Writer, scope: string, line: string, seen: Confirmation): Promise<void> {
  await write(writer, confirmKey(scope, line), { delete: true }, equal('writeId', seen.writeId));
}
