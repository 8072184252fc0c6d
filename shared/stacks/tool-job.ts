import type { Clock } from '../ports/clock.ts';
import type { ToolPurpose } from '../ports/tool-runner.ts';
import { type Ended, endJob, endOf, isOver, patienceBeside, type ToolEnd } from './end-job.ts';
import { isOpen, type ToolRecord } from './tool-record.ts';
import { tokenOf } from './tool-token.ts';
import type { ToolWork } from './tool-work.ts';
import { closeLetter, handOver, readHello, readInput } from './worker-mailbox.ts';

/** What a line wants of a tool job. */
export interface ToolRequest {
  readonly purpose: ToolPurpose;
  /** How long the tool may run, ms: policy's for the environment. */
  readonly timeLimitMs: number;
  /** Made when the job asks for it, and not before: credentials in it are fresh. The mailbox keeps the first. */
  work(): Promise<ToolWork>;
  /** The run was cancelled: nothing is started, and what is at work is ended. */
  readonly ends?: boolean;
}

/** Where a job is written down: in the ledger line (an apply's), or in the run's line (a plan's). */
export interface RecordPlace {
  /** What is written there now. */
  readonly found: ToolRecord | undefined;
  /** What is the same of every record of this work. */
  readonly of: Pick<ToolRecord, 'run' | 'round' | 'phase' | 'stack' | 'fence' | 'after'>;
  /** Of the line, in the plan. */
  readonly order: number;
  /**
   * Writes it down over what was read, before the deadline of whoever does so. Returns the place as it is then.
   *
   * @throws LedgerMoved, Again when somebody else got there first: everything is read again.
   */
  save(record: ToolRecord): Promise<RecordPlace>;
  /** Notes what became of a job of other work, of which nobody has told anything yet. */
  leave(record: ToolRecord, ended: Ended): Promise<RecordPlace>;
}

export interface ToolJobWorld extends ToolEnd {
  readonly clock: Clock;
  readonly timing: { readonly leaseTtl: number };
}

/** `later`: after so many seconds there may be more to see. Otherwise what became of the job. `record` is absent where none was ever started. */
export type Advanced = { readonly later: number } | (Ended & { readonly record?: ToolRecord });

/** From the start of the process to its hand-over, and from the end of its tool to its answer: what a job has beside the tool's own time, ms. */
export const jobMargin = 5 * 60_000;
/** How long a job may wait for a machine to run on, ms. */
export const queueMargin = 15 * 60_000;

/**
 * One step of a line's tool job, from its record to its answer (P9). It may be called as often as anybody likes, by several at once, and after a
 * death anywhere: what comes next is told by the record and the mailbox alone.
 *
 *     record ─▶ start ─▶ hello ─▶ input, sealed to that process ─▶ … ─▶ result
 *
 * An answer stays: whoever repeats the step is given it again. Who keeps the record in a ledger line writes `{ ...record, ended }` together with
 * what it makes of the answer.
 *
 * @throws LedgerMoved, Again from the place; LockkeeperError STORE_UNREACHABLE.
 */
export async function advance(world: ToolJobWorld, place: RecordPlace, request: ToolRequest): Promise<Advanced> {
  const { found } = place;
  if (found && isOfThisWork(found, place)) return goOn(world, place, found, request);
  // A job of other work that nobody has heard is ended first: never two tools of one stack at work at once.
  const free = isOpen(found) ? await endOther(world, place, found) : place;
  if ('later' in free) return free;
  return request.ends ? { lost: 'not-begun' } : begin(world, free, request);
}

const isOfThisWork = ({ run, round, phase, stack }: ToolRecord, { of }: RecordPlace): boolean =>
  run === of.run && round === of.round && phase === of.phase && stack === of.stack;

async function endOther(world: ToolJobWorld, place: RecordPlace, other: ToolRecord): Promise<RecordPlace | { readonly later: number }> {
  const ending = await endJob(world, other, world.clock.now(), patienceBeside(world.timing));
  return 'atWork' in ending ? { later: soon(world, other) } : place.leave(other, ending);
}

async function begin(world: ToolJobWorld, place: RecordPlace, request: ToolRequest): Promise<Advanced> {
  const { purpose, timeLimitMs } = request;
  const started = world.clock.now();
  const token = tokenOf(place.of.run, place.order, () => world.keys.sealing.nonce());
  const record = { ...place.of, token, purpose, started, deadline: started + timeLimitMs + jobMargin + queueMargin };
  return start(world, await place.save(record), record, request);
}

/** Starts the job, or finds the one that this token started, and writes down which it is. */
async function start(world: ToolJobWorld, place: RecordPlace, record: ToolRecord, { timeLimitMs }: ToolRequest): Promise<Advanced> {
  const job = await world.tools.start({ token: record.token, purpose: record.purpose, timeoutMs: timeLimitMs + jobMargin });
  await place.save({ ...record, job });
  return { later: soon(world, record) };
}

async function goOn(world: ToolJobWorld, place: RecordPlace, record: ToolRecord, request: ToolRequest): Promise<Advanced> {
  const now = world.clock.now();
  if (!request.ends && now <= record.deadline) return look(world, place, record, request);
  const ending = await endJob(world, record, now, patienceBeside(world.timing));
  return 'atWork' in ending ? { later: soon(world, record) } : { ...ending, record };
}

async function look(world: ToolJobWorld, place: RecordPlace, record: ToolRecord, request: ToolRequest): Promise<Advanced> {
  const process = await readHello(world, record);
  if (process === 'closed') return { lost: 'not-begun', record };
  if (process === undefined) return awaitHello(world, place, record, request);
  const job = process.job || record.job;
  if (job === undefined) return { later: soon(world, record) };
  if ((await readInput(world, record)) === undefined) await give(world, record, { ...process, job }, request);
  const ended = await endOf(world, record, job);
  if (ended === undefined) return { later: soon(world, record) };
  const worked = 'outcome' in ended || (await readInput(world, record)) === 'given';
  return worked ? { ...ended, record } : { lost: 'not-begun', record };
}

/** A process that has ended before it had its work, or that says no key, never gets it: then nobody has to wonder what it did. */
async function give(world: ToolJobWorld, record: ToolRecord, process: { readonly job: string; readonly key: string }, request: ToolRequest): Promise<void> {
  if (process.key === '' || isOver(await world.tools.state(process.job))) return closeLetter(world, record, 'input');
  await handOver(world, record, process, await request.work());
}

/**
 * A start of which nobody knows what became is made again. A job that has ended without a word has not begun, unless another start of the same token
 * speaks up just now.
 */
async function awaitHello(world: ToolJobWorld, place: RecordPlace, record: ToolRecord, request: ToolRequest): Promise<Advanced> {
  if (record.job === undefined) return start(world, place, record, request);
  if (!isOver(await world.tools.state(record.job))) return { later: soon(world, record) };
  await closeLetter(world, record, 'hello');
  return look(world, place, record, request);
}

/** Seconds to the next look: soon in the beginning, and never longer than a line may be put off under its lease. */
function soon({ clock, timing }: ToolJobWorld, { started }: ToolRecord): number {
  const age = (clock.now() - started) / 10_000;
  return Math.max(1, Math.min(10, Math.ceil(age), Math.floor(timing.leaseTtl / 3000)));
}
