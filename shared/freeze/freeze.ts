/** A freeze of an environment: until a moment, nothing new is applied there. The item `FREEZE` of it (design 4). */
import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Item, Table } from '../ports/table.ts';
import { type Ruler, ruler } from '../rulings/ruling.ts';
import { untilOf } from '../rulings/until.ts';
import { absent, type Condition, equal, present } from '../table/condition.ts';
import { freezeKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/** Whoever wants nothing applied for longer says so again: a freeze that everybody has forgotten is an outage. */
export const longestFreezeDays = 30;

const format = 1;

const stored = z.object({
  environment: z.string().min(1),
  reason: z.string().min(1),
  /** It holds before this moment (ISO 8601, UTC). */
  until: z.iso.datetime(),
  by: ruler,
  at: z.iso.datetime(),
  /** It was taken back. */
  lifted: z.literal(true).optional(),
  /** What it was said with, and the word before it: one that comes twice is no new one. */
  start: z.string(),
  previous: z.string().optional(),
});

/** A freeze that holds. */
export interface Freeze {
  readonly environment: string;
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** GitHub login, or the user of the machine. */
  readonly by: string;
  /** What was said cannot be read: it holds until somebody says something else. */
  readonly unreadable?: true;
}

/** Later than any freeze that can be said: where nobody knows the end, the environment stays frozen. */
const noEnd = '9999-12-31T23:59:59.000Z';

/** Whatever it says, somebody wanted nothing applied; and whoever is asked about a plan must not lose their answers by it. */
const unreadable = (environment: string, reason: string): Freeze => ({ environment, reason, until: noEnd, by: 'somebody', unreadable: true });

/** What somebody says about an environment: that it is frozen, or no longer. */
export interface Word {
  readonly by: Ruler;
  /** What it was said with: a command's id. */
  readonly start: string;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Freezes an environment of a repository. The last word wins.
 *
 * @param until as it was typed: a day, a moment, or a duration. @throws LockkeeperError USAGE for an end that is no time, past, or too far
 * away, and without a reason.
 */
export async function freeze(writer: Writer, repository: string, environment: string, { by, start, at }: Word, until: string, reason: string): Promise<Freeze> {
  const why = reason.trim();
  if (why === '') throw new LockkeeperError({ code: 'USAGE', message: `It is not said why ${environment} is frozen.`, hint: 'Give a reason with --reason.' });
  const end = untilOf(until, Date.parse(at), longestFreezeDays);
  await say(writer, repository, environment, { by, start, at }, () => ({ reason: why, until: end }));
  return { environment, reason: why, until: end, by: by.name };
}

/** Takes a freeze back, by whomever it was. Nothing changes where there is none. */
export async function unfreeze(writer: Writer, repository: string, environment: string, word: Word): Promise<void> {
  await say(writer, repository, environment, word, (before) => before && before['lifted'] !== true && { ...endOf(before), lifted: true });
}

/** What is kept of a freeze that is taken back, as far as it can be read. */
const endOf = ({ reason, until }: Item) => ({ ...(typeof reason === 'string' && { reason }), ...(typeof until === 'string' && { until }) });

/**
 * Writes a word over the one before it, whosever clock is behind: whoever says something now knows what was said. A word that is said
 * again after a death is known by what it was said with, also when another one has come between.
 *
 * @param content of what was there before; undefined: there is nothing to say.
 */
async function say(
  writer: Writer,
  repository: string,
  environment: string,
  { by, start, at }: Word,
  content: (before: Item | undefined) => object | undefined | false,
): Promise<void> {
  const key = freezeKey(repository, environment);
  for (;;) {
    const before = await writer.table.get(key);
    if (before && [before['start'], before['previous']].includes(start)) return;
    const said = content(before);
    if (!said) return;
    const put = { environment, ...said, by, at, start, ...(typeof before?.['start'] === 'string' && { previous: before['start'] }), format };
    const result = await write(writer, key, { put }, asFound(before));
    if (result.won) return;
  }
}

/** Nobody has said anything since. What is damaged may have lost the name of its write. */
function asFound(before: Item | undefined): Condition {
  if (!before) return absent;
  return typeof before['writeId'] === 'string' ? equal('writeId', before['writeId']) : present;
}

/** The freeze of an environment that holds at this moment, read strongly. One that is damaged, or of a newer format, holds (R1.83). */
export async function readFreeze({ table, clock }: FreezeWorld, repository: string, environment: string): Promise<Freeze | undefined> {
  const item = await table.get(freezeKey(repository, environment));
  if (!item) return undefined;
  if (Number(item['format']) > format) return unreadable(environment, `it has format ${Number(item['format'])}, and this version reads ${format}`);
  if (item['lifted'] === true) return undefined;
  const found = stored.safeParse(item).data;
  if (!found) return unreadable(environment, 'it is damaged');
  if (clock.now() >= Date.parse(found.until)) return undefined;
  return { environment: found.environment, reason: found.reason, until: found.until, by: found.by.name };
}

export interface FreezeWorld {
  readonly table: Pick<Table, 'get'>;
  readonly clock: { now(): number };
}
