import { setTimeout } from 'node:timers/promises';
import type { Problem } from '../../../shared/errors/error.ts';
import type { Run, RunLine } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { readRun, readRunLines } from '../../../shared/run/run-store.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import { Interrupted } from '../interrupted.ts';
import { type Patience, restOf } from './await-run.ts';

/** How a command stays with a run that waits for an event. */
export interface Staying {
  /** For how long, seconds. */
  readonly seconds: number;
  /** How often the run is asked to look for itself, ms: where nobody hears of events. Absent: somebody does. */
  readonly lookEveryMs?: number;
}

const tickMs = 500;
/** How often a run on this machine looks for its event, ms: a request to the provider each. */
export const lookHereEveryMs = 3_000;

/** What became of it: the run at rest, and why nobody waits any longer when it still waits itself. */
export interface Stayed {
  readonly run: Run;
  readonly problem?: Problem;
}

/**
 * Stays with a run until it waits for nothing more, for a person, or for longer than was asked for. Nothing runs meanwhile but this command; what
 * was applied stays, and the run goes on with the event whether anybody waits here or not (R1.49).
 *
 * @throws Interrupted
 */
export async function untilOver(sessions: LastingSession, rested: Run, patience: Patience, { seconds, lookEveryMs }: Staying): Promise<Stayed> {
  const began = Date.now();
  let [run, looked] = [rested, began];
  for (;;) {
    const waiting = run.phase === 'waiting' ? await waitingLines(sessions, run) : [];
    const [first] = waiting;
    if (!first || waiting.some(({ result }) => result?.waitingFor === 'confirmation')) return { run };
    const passed = Math.floor((Date.now() - began) / 1000);
    if (passed >= seconds) return { run, problem: tooLate(run, first, seconds) };
    patience.progress.show(
      `Waiting for ${first.result?.waitingFor ?? 'an event'}`,
      `line ${first.spec.id}, ${passed} of ${seconds} s, run ${run.id.slice(0, 8)}`,
    );
    await setTimeout(patience.everyMs ?? tickMs);
    if (patience.signal.aborted) throw new Interrupted(run.id, goesOn(lookEveryMs !== undefined));
    const now = (await readRun(sessions.current().store.table, run.id)) ?? run;
    if (now.phase !== 'waiting') run = await restOf(sessions, run.id, patience);
    else if (lookEveryMs !== undefined && Date.now() - looked > lookEveryMs) {
      looked = Date.now();
      await queueStep(sessions.current().store, now);
    }
  }
}

async function waitingLines(sessions: LastingSession, run: Run): Promise<RunLine[]> {
  const lines = await readRunLines(sessions.current().store.table, run.id);
  return lines.filter(({ round, result }) => round === run.round && result?.status === 'waiting');
}

function tooLate({ id }: Run, { spec, result }: RunLine, seconds: number): Problem {
  const message = `After ${seconds} s, line ${spec.id} of run ${id.slice(0, 12)} still waits for ${result?.waitingFor ?? 'an event'}. What is applied stays.`;
  return { code: 'WAIT_TIMEOUT', message, hint: 'The run goes on with the event; or run the same command again, with a longer --wait-timeout.' };
}

const goesOn = (here: boolean): string =>
  here ? 'What is applied stays; the same command goes on where it stopped.' : 'It goes on in the stack when the event comes.';
