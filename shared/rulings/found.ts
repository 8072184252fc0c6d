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
    /** Keyed fingerprint of what it held. */
    held: z.object({ key: z.string(), mac: z.string() }),
  }),
);

/** What exists, is in no ledger, and was refused to a line, each resource as it was seen. */
export type Found = Readonly<z.infer<typeof found>>;
export const foundShape = found;

const format = 1;

/**
 * Keeps what a run is about to show of a line, so that a person's word afterwards is about that (R1.77). Unfenced, the last one stands:
 * a worker that comes late leaves an older sight, and a word bound to that lets nothing be taken over that has changed since.
 *
 * @param until when nobody can read the run's report any more, epoch seconds.
 */
export async function keepFound(
  writer: Writer,
  scope: string,
  line: string,
  { run, resources, until }: { run: string; resources: Found; until: number },
): Promise<void> {
  await write(writer, foundKey(scope, line), { put: { format, run, found: resources, ttl: until } }, always);
}

/** What was shown last of a line; undefined where nothing was, or nobody can read it any more. @throws LockkeeperError RECEIPT_VERSION for a newer format. */
export async function readFound(table: Table, scope: string, line: string): Promise<Found | undefined> {
  const item = await table.get(foundKey(scope, line));
  if (!item) return undefined;
  if (Number(item['format']) > format)
    throw new LockkeeperError({
      code: 'RECEIPT_VERSION',
      message: `Item ${item.sk} has format ${String(item['format'])}; this version reads format ${format}.`,
    });
  return found.safeParse(item['found']).data;
}
