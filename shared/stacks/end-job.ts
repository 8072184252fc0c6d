import type { ToolJobState, ToolRunner } from '../ports/tool-runner.ts';
import type { Mailbox } from './mailbox.ts';
import type { Lost } from './tool-record.ts';
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
export async function endJob(end: ToolEnd, record: Mailbox, now: number, patience: number): Promise<Ending> {
  await closeLetter(end, record, 'hello');
  const process = await readHello(end, record);
  if (process === undefined || process === 'closed') return { lost: 'not-begun' };
  await closeLetter(end, record, 'input');
  if ((await readInput(end, record)) !== 'given') return { lost: 'not-begun' };
  const ended = await endOf(end, record, process.job);
  if (ended) return ended;
  const since = await askForEnd(end, record, now);
  const forMs = now - since;
  if (forMs >= patience) await end.tools.stop(process.job);
  return { atWork: true, forMs };
}

/**
 * What a job that had its work came to; undefined while it is at it. Its state is asked for before its result is looked for: a result that was put
 * between the two is found.
 */
export async function endOf(end: ToolEnd, box: Mailbox, job: string): Promise<Ended | undefined> {
  const state = await end.tools.state(job);
  const outcome = await readResult(end, box);
  if (outcome === 'unreadable') return { lost: 'gone' };
  if (outcome) return { outcome };
  if (!over.has(state)) return undefined;
  return { lost: state === 'timed-out' || state === 'stopped' ? state : 'gone' };
}

/** Whether a job that has said no hello never will, as its runner tells: nobody waits for its deadline then. */
export const isOver = (state: ToolJobState): boolean => over.has(state);
