import { readDecisions } from '../approvals/decision.ts';
import { moveTick } from '../dashboard/move-tick.ts';
import type { Tick } from '../dashboard/tick.ts';
import { answerQuestion } from '../run/answer-question.ts';
import { createRun } from '../run/create-run.ts';
import { questionOf, type Run } from '../run/items.ts';
import { queueStep } from '../run/phase.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import type { RowTick, TickAllowed } from './judge-tick.ts';
import { runOfBox } from './run-of-box.ts';
import type { Ticked } from './ticked.ts';
import { noteTicker } from './tickers.ts';

/**
 * Goes on with the run that this very tick has started or answered, where a death cut off what follows. False: there is none.
 */
export async function joinRun(world: ControlWorld, tick: Tick, sk: string): Promise<boolean> {
  const { box, by } = tick;
  if (box === 'rescan' || !by) return false;
  if (await hasAnswered(world, tick, by.login)) return true;
  const found = await runOfBox(world, tick, sk);
  if (!found.mine) return false;
  await joined(world, { ...tick, box }, sk, found.mine, by.login);
  return true;
}

/** A tick that may have what it asks for: it answers the run that asks about just that, joins the one that is on its way, or starts one. */
export async function startTicked(
  world: ControlWorld,
  tick: RowTick,
  sk: string,
  { run, asking, by, expiresAt }: TickAllowed & Pick<Ticked, 'by' | 'expiresAt'>,
): Promise<void> {
  if (asking) return answered(world, tick, sk, asking, by);
  const { start, id, open } = await runOfBox(world, tick, sk);
  if (!open) {
    const { box, digest, at, line } = tick;
    await createRun(world, start, {
      ...run,
      options: { busy: 'wait', ticked: { box, digest, by, at, tick: sk, expiresAt, ...(line === undefined ? {} : { line }) } },
    });
  }
  await joined(world, tick, sk, id, by);
}

/**
 * One more person's tick of a run. Where that asks, the tick is one answer among several: its box is free for the next person's, and the run's
 * own step makes a decision of it.
 */
async function joined(world: ControlWorld, tick: RowTick, sk: string, run: string, login: string): Promise<void> {
  await noteTicker(world, run, { login, at: tick.at, tick: sk });
  await moveTick(world, tick, { state: 'working', started: run });
  await queueStep(world, { id: run, repository: { id: tick.repository } as Run['repository'] });
}

/**
 * The run that asks is another's; whoever ticked is told all the same where nothing comes of it.
 *
 *     tick: which run ─▶ its answer ─▶ tick: done      a death in between: the run may be over by the next look, and the row show something else
 */
async function answered(world: ControlWorld, tick: RowTick, sk: string, run: Run, login: string): Promise<void> {
  await noteTicker(world, run.id, { login, at: tick.at, tick: sk });
  const named = tick.started === run.id ? tick : await moveTick(world, tick, { state: 'asked', started: run.id });
  if (!named) return;
  await answerQuestion(world, run, questionOf(run), { verdict: 'approve', person: { name: login, through: 'tick' }, told: sk, at: tick.at });
  await moveTick(world, named, { state: 'done', started: run.id });
}

/** Whether a tick is an answer that stands already: then nothing is left but to say so, and to wake the run. */
async function hasAnswered(world: ControlWorld, tick: Tick, login: string): Promise<boolean> {
  const run = tick.started === undefined ? undefined : await readRun(world.table, tick.started);
  if (!run?.question) return false;
  const answers = await readDecisions(world.table, { ...run.question, run: run.id });
  if (!answers.some(({ person }) => person.through === 'tick' && person.name === login)) return false;
  await queueStep(world, run);
  await moveTick(world, tick, { state: 'done', started: run.id });
  return true;
}
