import { closeQuestion, openQuestion, reopenQuestion } from '../approvals/question.ts';
import { problemOf } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';
import { wakeTickers } from '../ticks/look-after.ts';
import { closeEarly } from './close-early.ts';
import { forgetSecrets } from './forget-secrets.ts';
import { nextLook, watchedHost } from './host-away.ts';
import { inheritCard } from './inherit-card.ts';
import { questionOf, type Run } from './items.ts';
import { queueStep } from './phase.ts';
import { publish } from './publish.ts';
import { readAsked } from './read-asked.ts';
import { logEvent } from './run-log.ts';
import { runAddress, runScope } from './run-scope.ts';
import { freeStep, readRun } from './run-store.ts';
import { supersedeOlderRuns, takePlace, tookItsPlace } from './supersede.ts';
import { toQuestion } from './tell-machine.ts';
import type { ControlWorld } from './world.ts';
import { judgeAskedWorld, type Past } from './world-judgement.ts';

/**
 * The question, after its digest stands in the run (P2). What goes with it comes first, so that a question that is there says that all
 * of it has happened: the run is the newest that is open in its scope, it was shown, and older questions of the scope end. False: nobody
 * is asked, because the world or a newer run has gone past what this one planned, and the run has ended; or the host is silent, and the run
 * comes back to ask (P2: nobody is asked about what may be past).
 */
export async function putQuestion(world: ControlWorld, run: Run): Promise<boolean> {
  const { q, digest, expiresAt } = questionOf(run);
  const past = await pastOrAway(world, run);
  if (past === 'away') return comeBack(world, run);
  if (past) {
    await closeEarly(world, run, past.is, past.why);
    return false;
  }
  await publish(world, run, await readAsked(world, run));
  await forgetSecrets(world, run, 'plan');
  await inheritCard(world, run);
  await supersedeOlderRuns(world, run);
  await logEvent(world, run, 'asked', { detail: digest });
  const askedAt = new Date(world.clock.now()).toISOString();
  const shown = run.report === undefined ? {} : { report: run.report };
  await openQuestion(world, { run: run.id, q, digest, askedAt, expiresAt, ...shown }, runAddress(run));
  await wakeTickers(world, run);
  return stillAsks(world, run);
}

/** A guard that died closed it, and the one after it sent the run back here: nobody could answer what is not open. */
export async function askAgain(world: ControlWorld, run: Run): Promise<boolean> {
  const { q, digest } = questionOf(run);
  await reopenQuestion(world, { q, digest, run: run.id }, runAddress(run));
  return stillAsks(world, run);
}

/** Whoever ended the run, or let it go on, before its question was there found none to close: nobody must be shown it. */
async function stillAsks(world: ControlWorld, run: Run): Promise<boolean> {
  const { q, digest } = questionOf(run);
  const now = await readRun(world.table, run.id);
  if (now && now.phase !== 'done' && now.question?.q === q && now.question.digest === digest && now.honoured?.q !== q) return true;
  await closeQuestion(world, { q, digest, run: run.id });
  return false;
}

/** A host that is away ends nothing: what is to be asked stands in the run, and the next look asks it. At a person's machine the failure is theirs to see. */
async function pastOrAway(world: ControlWorld, run: Run): Promise<Past | 'away' | undefined> {
  const watched = watchedHost(world);
  try {
    return await whatIsPast(watched.world, run);
  } catch (error) {
    if (world.stack === 'embedded' || !watched.away(error)) throw error;
    world.log.warn('a question waits for the host to answer', { run: run.id, code: problemOf(error).code });
    return 'away';
  }
}

async function comeBack(world: ControlWorld, run: Run): Promise<false> {
  await freeStep(world, run);
  await queueStep(world, run, nextLook);
  return false;
}

/** Planning takes time, and events come in any order: nobody should be asked about what cannot be applied any more. */
async function whatIsPast(world: ControlWorld, run: Run): Promise<Past | undefined> {
  const past = await judgeAskedWorld(world, run, await readHead(world.table, runScope(run)));
  if (past) return past;
  const newer = await takePlace(world, run);
  return newer && { is: 'superseded', why: tookItsPlace(newer).message };
}

/** The machine waits for the answer: told that a plan made anew is to be asked, or started. Repeating it starts nothing twice. */
export async function driveQuestion(world: ControlWorld, run: Run): Promise<void> {
  // A recheck that found another plan asks from the Guard state, one that was planned again from Replan.
  for (const waiting of [run.replan, run.guard]) {
    if (waiting !== undefined && (await world.machine.succeed(waiting.token, toQuestion(world, run))) === 'done') return;
  }
  await startExecution(world, run);
}

export function startExecution(world: ControlWorld, run: Run): Promise<'started' | 'exists'> {
  const { expiresSeconds } = toQuestion(world, run);
  return world.machine.start(run.execution as string, { enter: 'ask', run: run.id, group: run.repository.id, expiresSeconds });
}
