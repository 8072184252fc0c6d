import { decide } from '../approvals/decision.ts';
import type { Question } from '../approvals/question.ts';
import type { Table } from '../ports/table.ts';
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

/** Whose ticks a run is of, the first one first. */
export async function readTickers(table: Table, run: string): Promise<Ticker[]> {
  const items = await table.query(runPartition(run), tickerPrefix);
  const tickers = items.map(({ login, at, tick }): Ticker => ({ login: String(login), at: String(at), tick: String(tick) }));
  return tickers.sort((a, b) => (a.at === b.at ? (a.login < b.login ? -1 : 1) : a.at < b.at ? -1 : 1));
}

/**
 * Each tick as an answer to the question that its run puts: a question has its digest only once the run is planned, and people ticked before.
 *
 *     question ─▶ ticks noted so far ─▶ decisions          whoever ticks later notes it, and then looks for the question
 *
 * Repeated it says the same, and brings nothing back that was taken back.
 */
export async function decideAsTicked(world: Pick<JobWorld, 'table' | 'ids'>, question: Pick<Question, 'digest' | 'run' | 'q'>): Promise<void> {
  for (const { login, at, tick } of await readTickers(world.table, question.run))
    await decide(world, question, { verdict: 'approve', person: { name: login, through: 'tick' }, at, told: tick });
}
