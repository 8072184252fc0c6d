import { decide } from '../approvals/decision.ts';
import type { Question } from '../approvals/question.ts';
import type { Table } from '../ports/table.ts';
import type { Run } from '../run/items.ts';
import { runLifetime } from '../run/run-log.ts';
import type { JobWorld } from '../run/world.ts';
import { absent } from '../table/condition.ts';
import { runPartition, tickerKey, tickerPrefix } from '../table/keys.ts';
import { write } from '../table/write.ts';

/** One person whose tick started a run, or is a decision on it: the item `RUN#<id>` / `TICKED#<login>`, the first of their ticks. */
export interface Ticker {
  readonly login: string;
  /** When they ticked, ISO 8601. */
  readonly at: string;
  /** The sort key of the tick's item: whoever ends the run looks after it. */
  readonly tick: string;
}

/** Notes whose tick a run is of, once. */
export async function noteTicker(world: Pick<JobWorld, 'table' | 'ids' | 'clock'>, run: string, ticker: Ticker): Promise<void> {
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  await write(world, tickerKey(run, ticker.login.toLowerCase()), { put: { ...ticker, ttl } }, absent);
}

/** Whose ticks a run is of, the first one first. Whose tick started it the run says itself: a death may have cut off the note of it. */
export async function readTickers(table: Table, { id, options: { ticked } }: Pick<Run, 'id' | 'options'>): Promise<Ticker[]> {
  const items = await table.query(runPartition(id), tickerPrefix);
  const noted = items.map(({ login, at, tick }): Ticker => ({ login: String(login), at: String(at), tick: String(tick) }));
  const starter = ticked ? [{ login: ticked.by, at: ticked.at, tick: ticked.tick }] : [];
  const tickers = [...starter, ...noted.filter(({ login }) => login.toLowerCase() !== ticked?.by.toLowerCase())];
  return tickers.sort((a, b) => (a.at === b.at ? (a.login < b.login ? -1 : 1) : a.at < b.at ? -1 : 1));
}

/**
 * Each tick as an answer to the question that its run puts: a question has its digest only once the run is planned, and people ticked before.
 *
 *     question ─▶ ticks noted so far ─▶ decisions          whoever ticks later notes it, and then looks for the question
 *
 * Repeated it says the same, and brings nothing back that was taken back.
 */
export async function decideAsTicked(
  world: Pick<JobWorld, 'table' | 'ids'>,
  run: Pick<Run, 'id' | 'options'>,
  asked: Pick<Question, 'digest' | 'q'>,
): Promise<void> {
  for (const { login, at, tick } of await readTickers(world.table, run))
    await decide(world, { ...asked, run: run.id }, { verdict: 'approve', person: { name: login, through: 'tick' }, at, told: tick });
}
