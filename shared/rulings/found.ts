import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Table } from '../ports/table.ts';
import { always } from '../table/condition.ts';
import { foundKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

const found = z.array(
  z.object({
    /** Hash of the resource's identity. */
    identity: z.string(),
    /** Its provider's id, where it is kept: of what was edited. */
    id: z.string().optional(),
    /** Keyed fingerprint of what it held. */
    held: z.object({ key: z.string(), mac: z.string() }),
  }),
);

/** What was refused to a line, each resource as it was seen: what exists and is in no ledger, or what was edited outside. */
export type Found = Readonly<z.infer<typeof found>>;
export const foundShape = found;

const format = 1;

/**
 * Keeps what a run is about to show of a line, so that a person's word afterwards is about that (R1.77). Unfenced, the last one stands:
 * a worker that comes late leaves an older sight, and a word bound to that lets nothing be taken over that has changed since.
 *
 * @param word what a person may say about it. @param until when nobody can read the run's report any more, epoch seconds.
 */
export async function keepFound(
  writer: Writer,
  scope: string,
  line: string,
  word: 'accept' | 'lift',
  { run, resources, until }: { run: string; resources: Found; until: number },
): Promise<void> {
  await write(writer, foundKey(scope, word, line), { put: { format, run, found: resources, ttl: until } }, always);
}

/** What was shown last of a line; undefined where nothing was, or nobody can read it any more. @throws LockkeeperError RECEIPT_VERSION for a newer format. */
export async function readFound(table: Table, scope: string, word: 'accept' | 'lift', line: string): Promise<Found | undefined> {
  const item = await table.get(foundKey(scope, word, line));
  if (!item) return undefined;
  if (Number(item['format']) > format)
    throw new LockkeeperError({
      code: 'RECEIPT_VERSION',
      message: `Item ${item.sk} has format ${String(item['format'])}; this version reads format ${format}.`,
    });
  return found.safeParse(item['found']).data;
}
