import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Item, Table } from '../ports/table.ts';
import { absent, all, any, below, equal, lacks } from '../table/condition.ts';
import { rulingKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { foundShape } from './found.ts';

/** `accept`: leave the line as it is until a moment. `lift`: it may adopt what it finds and change it. `confirm`: its step has been done. */
export type RulingKind = 'accept' | 'lift' | 'confirm';

export const ruler = z.object({
  /** GitHub login, or the user of the machine. */
  name: z.string().min(1),
  /** `machine`: nobody verified who sits there. `aws`: a principal that policy maps to a GitHub user. `github`: a comment's author, told by GitHub. */
  through: z.enum(['machine', 'aws', 'github']),
  /** The AWS principal, for `aws`. */
  principal: z.string().min(1).optional(),
});
/** Who said it, as far as it is known. */
export type Ruler = z.infer<typeof ruler>;

const stored = z.object({
  kind: z.enum(['accept', 'lift', 'confirm']),
  line: z.string().min(1),
  by: ruler,
  at: z.iso.datetime(),
  reason: z.string().optional(),
  /** It holds before this moment (ISO 8601, UTC). */
  until: z.iso.datetime().optional(),
  /** For `confirm`: of exactly the text that was shown. */
  shown: z.object({ key: z.string(), mac: z.string() }).optional(),
  /** For `lift` and `accept`: the run that was made for it. A lift holds for no other; one without it was written by an earlier version, and holds for none. */
  for: z.string().optional(),
  /** For both: what a run had shown of the line, each resource with the fingerprint of what it held. Absent: nothing was shown before. */
  found: foundShape.optional(),
  /** Orders what was said about one line: the last word stands, and a message that comes twice is no new one. */
  said: z.string(),
  /** The run that has used it up. */
  usedBy: z.string().optional(),
  writeId: z.string(),
});

/** What a person decided about one line of a scope: the item `ACCEPT#`, `LIFT#` or `CONFIRM#` of it (design 4). */
export type Ruling = Readonly<z.infer<typeof stored>>;
export type NewRuling = Omit<Ruling, 'said' | 'usedBy' | 'writeId'>;

const format = 1;

/**
 * Records a ruling. Never fenced: a person's word needs no lease. The last word wins, by when it was said; a command that is carried
 * out again, after a death or a second delivery, changes nothing, and brings back nothing that was used up (I10).
 *
 * @param start what it was said with: an intake's or a command's id.
 */
export async function rule(writer: Writer, scope: string, start: string, ruling: NewRuling): Promise<void> {
  const said = `${ruling.at}#${start}`;
  const put = { ...ruling, said, format };
  await write(writer, rulingKey(scope, ruling.kind, ruling.line), { put }, any(absent, below('said', said)));
}

/** Words about one thing come one after the other, whosever clock is behind: the one that is said now is the newer one. */
export const after = (before: Pick<Ruling, 'at'> | undefined, at: string): string =>
  before === undefined || before.at < at ? at : new Date(Date.parse(before.at) + 1).toISOString();

/** The ruling of that kind on a line, read strongly; undefined without one. @throws LockkeeperError RECEIPT_VERSION for a newer format. */
export async function readRuling(table: Table, scope: string, kind: RulingKind, line: string): Promise<Ruling | undefined> {
  return rulingOf(await table.get(rulingKey(scope, kind, line)));
}

const kinds: readonly RulingKind[] = ['accept', 'lift', 'confirm'];

/** What people said about a line and nothing has used up. */
export async function readRulings(table: Table, scope: string, line: string): Promise<Ruling[]> {
  const found = await Promise.all(kinds.map((kind) => readRuling(table, scope, kind, line)));
  return found.flatMap((ruling) => (ruling && ruling.usedBy === undefined ? [ruling] : []));
}

/** Lets a ruling hold in another scope as well, where nobody has said anything newer; what that has used up is not brought back. */
export async function passOn(writer: Writer, ruling: Ruling, scope: string): Promise<void> {
  const put = { ...ruling, format };
  await write(writer, rulingKey(scope, ruling.kind, ruling.line), { put }, any(absent, below('said', ruling.said)));
}

/** Takes the effect out of a ruling that `run` has acted on. Another run's mark, and a newer word, stay. */
export async function useUp(writer: Writer, scope: string, run: string, ruling: Ruling): Promise<void> {
  if (ruling.usedBy !== undefined) return;
  const same = all(equal('said', ruling.said), lacks('usedBy'));
  await write(writer, rulingKey(scope, ruling.kind, ruling.line), { set: { usedBy: run } }, same);
}

/** Whether it still lets `run` do what it says: nothing has used it up, or this run has. */
export const isUnused = ({ usedBy }: Ruling, run: string): boolean => usedBy === undefined || usedBy === run;

/** Whether it holds now. On the safe side of a clock that is off: an acceptance ends early rather than late. */
export const holds = ({ until }: Ruling, { clock, timing }: { clock: { now(): number }; timing: { skew: number } }): boolean =>
  until === undefined || clock.now() + timing.skew < Date.parse(until);

function rulingOf(item: Item | undefined): Ruling | undefined {
  if (!item) return undefined;
  if (Number(item['format']) > format)
    throw new LockkeeperError({
      code: 'RECEIPT_VERSION',
      message: `Item ${item.sk} has format ${String(item['format'])}; this version reads format ${format}.`,
    });
  return stored.safeParse(item).data;
}
