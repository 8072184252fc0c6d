import { setTimeout } from 'node:timers/promises';
import { readQuestion } from '../../../shared/approvals/question.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { frozen } from '../../../shared/freeze/frozen.ts';
import { isOfPlan } from '../../../shared/redeploys/told-by-lines.ts';
import { isCancelled } from '../../../shared/run/cancel.ts';
import { questionOf, type Run } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { isRemoval } from '../../../shared/run/report.ts';
import { readRun, readRunLines } from '../../../shared/run/run-store.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import type { Session } from '../folder/session.ts';
import type { Store } from '../folder/store.ts';
import { Interrupted, throwIfInterrupted } from '../interrupted.ts';
import type { Invocation } from '../invocation.ts';
import type { Progress } from '../progress.ts';
import { isAnswered } from './answered-runs.ts';

/** How one waits. */
export interface Patience {
  readonly progress: Progress;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** How often one looks, ms; where every look costs a request, less often. */
  readonly everyMs?: number;
  /** For how long one stays with a run that waits for another one's lease, seconds; absent: until it has it. */
  readonly leaseSeconds?: number;
}

/** How long `--wait` stays where nothing else is said, seconds. */
export const defaultWait = 600;

export const boundOf = ({ wait, waitTimeout }: Pick<Invocation, 'wait' | 'waitTimeout'>): Pick<Patience, 'leaseSeconds'> =>
  wait ? { leaseSeconds: waitTimeout ?? defaultWait } : {};

const lookEveryMs = 100;
const countEveryMs = 1_000;
const wakeEveryMs = 1_000;

/** A run that stands still until something outside happens: an event, or a person's answer. */
export const rests = ({ phase }: Pick<Run, 'phase'>): boolean => phase === 'done' || phase === 'waiting' || phase === 'awaiting';

/** Whether it rests for good reason: a question counts when it can be answered, and is not the one that was. */
async function isAtRest(store: Store, run: Run, answered: number | undefined): Promise<boolean> {
  // One that a person has stopped has yet to hear of it.
  if (isCancelled(run) && run.phase !== 'done') return false;
  if (run.phase !== 'awaiting' || !run.question) return rests(run);
  const { digest, q } = run.question;
  if (q === answered) return staysAnswered(store, run);
  return (await readQuestion(store.table, digest, run.id, q)) !== undefined;
}

/**
 * Waits until a run rests. One that is older than the stack was left by a process that is gone: it is woken until it moves,
 * which is harmless however often, rather than waiting for its messages to become visible again.
 *
 * @param answered number of the question that was answered: a run that is still parked at it has yet to go on.
 * @throws Interrupted; LockkeeperError NOT_FOUND when there is no such run.
 */
export async function untilRest(
  sessions: LastingSession,
  id: string,
  { progress, signal, everyMs = lookEveryMs, leaseSeconds }: Patience,
  answered?: number,
): Promise<Run> {
  const began = Date.now();
  let [counted, woken] = [0, 0];
  let lines = '';
  for (;;) {
    throwIfInterrupted(signal);
    try {
      const session = sessions.current();
      const run = await readRun(session.store.table, id);
      if (!run) throw new LockkeeperError({ code: 'NOT_FOUND', message: `There is no run ${id} any more.` });
      if (await isAtRest(session.store, run, answered)) return run;
      if (leaseSeconds !== undefined && run.waitsUntil !== undefined && run.phase === 'preparing' && Date.now() - began > leaseSeconds * 1000)
        throw leaseTaken(run, leaseSeconds);
      if (Date.now() - woken > wakeEveryMs && isLeft(session, run)) {
        woken = Date.now();
        await queueStep(session.store, run);
      }
      if (Date.now() - counted > countEveryMs) {
        lines = await linesDone(session, run);
        counted = Date.now();
      }
      progress.show(stepOf(run), lines);
    } catch (error) {
      if (error instanceof LockkeeperError && (error.code === 'NOT_FOUND' || error.code === 'WAIT_TIMEOUT')) throw error;
      if (!(await sessions.recover())) throw error;
    }
    await setTimeout(everyMs);
  }
}

/**
 * Whether a run stays at a question that was answered: its step has heard the answer, and a freeze keeps it there; or it has heard that the
 * answer was taken back. What the run says of a freeze was so when its step looked, and that may be over: then it is on its way.
 */
async function staysAnswered(store: Store, run: Run): Promise<boolean> {
  const { q, expiresAt } = questionOf(run);
  if (expiresAt <= store.clock.now()) return false;
  const approvals = run.approvals?.q === q ? run.approvals : undefined;
  if (!(await isAnswered(store, run))) return approvals === undefined || approvals.by.length === 0;
  const isHeard = approvals !== undefined && approvals.by.length >= approvals.required;
  return isHeard && run.frozen?.q === q && (await frozen(store, run)) !== undefined;
}

function leaseTaken({ id }: Run, seconds: number): LockkeeperError {
  const message = `After ${seconds} s, run ${id.slice(0, 12)} still waits for another run to give the lease back.`;
  return new LockkeeperError({ code: 'WAIT_TIMEOUT', message, hint: `It goes on by itself: \`lockkeeper log ${id.slice(0, 12)}\` tells how far it is.` });
}

/** The same for the run a command is about: whoever interrupts it is told which run stays where it is. */
export async function restOf(sessions: LastingSession, id: string, patience: Patience, answered?: number): Promise<Run> {
  return untilRest(sessions, id, patience, answered).catch((error: unknown) => {
    throw error instanceof Interrupted ? new Interrupted(id) : error;
  });
}

/** Left by somebody else, and no step of it at work: its claim, like that of its lines, ends by itself. */
const isLeft = (session: Session, run: Run): boolean =>
  session.holds && Date.parse(run.startedAt) < session.since && (run.step?.until ?? 0) < session.store.clock.now();

const steps: Partial<Record<Run['phase'], string>> = {
  preparing: 'Preparing',
  planning: 'Planning',
  awaiting: 'At its question',
  guarding: 'Comparing with what was approved',
  applying: 'Applying',
  'rolling-back': 'Rolling back',
};

const stepOf = (run: Run): string => (run.phase === 'applying' && isRemoval(run.kind) ? 'Removing' : (steps[run.phase] ?? 'Finishing'));

async function linesDone({ store }: Session, run: Run): Promise<string> {
  const lines = (await readRunLines(store.table, run.id)).filter((line) => isOfPlan(line) && line.round === run.round && line.phase === run.phase);
  const done = lines.filter((line) => line.result !== undefined).length;
  return lines.length === 0 ? `run ${run.id.slice(0, 8)}` : `${done} of ${lines.length} lines, run ${run.id.slice(0, 8)}`;
}
