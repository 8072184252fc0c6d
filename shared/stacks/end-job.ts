import type { ToolJobState, ToolRunner } from '../ports/tool-runner.ts';
import type { Mailbox } from './mailbox.ts';
import type { Lost, ToolRecord } from './tool-record.ts';
import type { ToolOutcome } from './tool-work.ts';
import { askForEnd, closeLetter, readHello, readInput, readResult, type WorkerEnd } from './worker-mailbox.ts';

/** What it takes to look after a tool job. */
export interface ToolEnd extends WorkerEnd {
  readonly tools: ToolRunner;
}

/** What became of a job; `at work`: it may still write. */
export type Ended = { readonly outcome: ToolOutcome } | { readonly lost: Lost };
export type Ending = Ended | { readonly atWork: true /** Since it was first asked to end, ms. */; readonly forMs: number };

/** How long a tool may take to end by itself once it is asked to, ms: Terraform finishes what it has begun. */
const patience = 2 * 60_000;

/** The same beside shorter leases, of a test or a story: there everything is shorter. */
export const patienceBeside = ({ leaseTtl }: { readonly leaseTtl: number }): number => Math.min(patience, leaseTtl / 3);

const over: ReadonlySet<ToolJobState> = new Set<ToolJobState>(['succeeded', 'failed', 'stopped', 'timed-out', 'unknown']);

/**
 * Ends a job, or finds it ended; asked again until it has (P9). Nobody needs the lease for it: what it decides, it decides in the mailbox.
 *
 *     no hello yet ─▶ closed: a start that is still on its way finds it and ends
 *     no input yet ─▶ closed: the process ends without having done anything
 *     input given  ─▶ asked to end its tool, after `patience` stopped, and waited for in any case
 *
 * @param patience how long the tool may take to end by itself, ms.
 */
export async function endJob(end: ToolEnd, record: ToolRecord, now: number, patience: number): Promise<Ending> {
  await closeLetter(end, record, 'hello');
  const process = await readHello(end, record);
  if (process === undefined || process === 'closed') return { lost: mayHaveGone(record, now) ? 'gone' : 'not-begun' };
  await closeLetter(end, record, 'input');
  if ((await readInput(end, record)) !== 'given') return { lost: 'not-begun' };
  // One that does not say who it is can be found by what the runner answered alone, and else be waited for as long as it may run.
  const job = process.job || record.job;
  const ended = job === undefined ? unfound(record, now) : await endOf(end, record, job);
  if (ended) return ended;
  const forMs = now - (await askForEnd(end, record, now));
  if (forMs >= patience && job !== undefined) await end.tools.stop(job);
  return { atWork: true, forMs };
}

/** Letters are cleared away some time after they were written: then nothing says any more that a job that was started never began. */
const keptFor = 24 * 60 * 60_000;

const mayHaveGone = ({ job, started }: ToolRecord, now: number): boolean => job !== undefined && now - started > keptFor;

const unfound = ({ deadline }: ToolRecord, now: number): Ended | undefined => (now > deadline ? { lost: 'gone' } : undefined);

/**
 * What a job that had its work came to; undefined while it is at it. Its state is asked for before its result is looked for: a result that was put
 * between the two is found.
 */
export async function endOf(end: ToolEnd, box: Mailbox, job: string): Promise<Ended | undefined> {
  const state = await end.tools.state(job);
  const outcome = await readResult(end, box);
  // What is no answer somebody beside the tool may have put there: whether the tool works on the runner alone knows.
  if (outcome && outcome !== 'unreadable') return { outcome };
  if (!over.has(state)) return undefined;
  return { lost: state === 'timed-out' || state === 'stopped' ? state : 'gone' };
}

/** Whether a job that has said no hello never will, as its runner tells: nobody waits for its deadline then. */
export const isOver = (state: ToolJobState): boolean => over.has(state);
