import type { Clock } from '../../shared/ports/clock.ts';
import type { Objects } from '../../shared/ports/objects.ts';
import type { JobPlace } from '../../shared/stacks/job-environment.ts';
import { type JobMailbox, openJobMailbox } from '../../shared/stacks/job-mailbox.ts';
import type { ToolWork } from '../../shared/stacks/tool-work.ts';
import { watchForEnd } from './endings.ts';
import { doWork } from './job.ts';
import { makePrivateFolder } from './private-folder.ts';

export interface ProgramOptions {
  readonly place: JobPlace;
  readonly objects: Pick<Objects, 'get' | 'put'>;
  readonly random: (count: number) => Uint8Array;
  readonly clock: Clock;
  /** Where programs are looked for. */
  readonly path: string;
  /** The tool is fetched, and not looked for. */
  readonly fetchesTool?: boolean;
  /** Where the private folder is made. */
  readonly tmp: string;
  readonly times?: Partial<Times>;
}

export interface Times {
  /** How long a job waits for its work, ms: its worker may have died, and another has to come. */
  readonly waitMs: number;
  readonly lookMs: number;
  /** Between the request that a tool end and its death, ms. */
  readonly graceMs: number;
}

const usual: Times = { waitMs: 5 * 60_000, lookMs: 2_000, graceMs: 45_000 };

/**
 * The life of one job (P9): says hello, waits for its work, does it, answers. `nothing`: another process has this token, or nobody had work
 * for it.
 */
export async function runJob({ place, objects, random, clock, path, fetchesTool = false, tmp, times }: ProgramOptions): Promise<'answered' | 'nothing'> {
  const { waitMs, lookMs, graceMs } = { ...usual, ...times };
  const box = await openJobMailbox({ objects, job: place.job, random }, { purpose: place.purpose, token: place.token });
  if (box === undefined) return 'nothing';
  const work = await waitForWork(box, clock, waitMs, lookMs);
  if (work === 'closed') return 'nothing';
  refuseOtherPurpose(work, place);
  const endings = watchForEnd({ timeoutMs: work.timeoutMs, isCancelled: box.isCancelled, everyMs: lookMs });
  try {
    const outcome = await doWork(work, {
      folder: makePrivateFolder(tmp),
      object: async (name) => (await objects.get(name))?.body,
      path,
      fetchesTool,
      began: new Date(clock.now()).toISOString(),
      ending: endings.signal,
      graceMs,
      sleep: clock.sleep,
    });
    await answer(box, outcome, clock);
    return 'answered';
  } finally {
    endings.close();
  }
}

async function waitForWork(box: JobMailbox, clock: Clock, waitMs: number, lookMs: number): Promise<ToolWork | 'closed'> {
  const until = clock.now() + waitMs;
  while (clock.now() < until) {
    const found = await box.input().catch(() => undefined);
    if (found !== undefined) return found;
    await clock.sleep(Math.min(lookMs, 1000));
  }
  return box.giveUp();
}

/** A plan's role must never write: the worker does not ask for it, and this process does not do it. */
function refuseOtherPurpose(work: ToolWork, { purpose }: JobPlace): void {
  if (purpose === 'plan' && work.do !== 'plan') throw new Error('a job that was started to plan was asked to apply');
}

/** What an apply did is worth more than one try. */
async function answer(box: JobMailbox, outcome: Parameters<JobMailbox['answer']>[0], clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await box.answer(outcome);
    } catch (error) {
      if (attempt === 10) throw error;
      await clock.sleep(1000 * attempt);
    }
  }
}
