import { expect, it } from 'vitest';
import { withdraw } from '../../../shared/approvals/decision.ts';
import { freeze, unfreeze } from '../../../shared/freeze/freeze.ts';
import { answerQuestion } from '../../../shared/run/answer-question.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import { openWorkbench, repository, type Workbench } from '../../../test/ports/workbench.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import { untilRest } from './await-run.ts';
import { wakeParked } from './wake-parked.ts';

const patience = { progress: { show: () => undefined, clear: () => undefined }, signal: new AbortController().signal };

function session(bench: Workbench, holds = true): LastingSession {
  const current = { holds, store: bench.world(), since: bench.clock.now(), close: async () => undefined, abandon: async () => undefined };
  return { current: () => current, recover: async () => false, close: current.close, abandon: current.abandon };
}

async function parked(bench: Workbench): Promise<string> {
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await bench.quiet();
  return id;
}

/** Wakes what is parked while the functions work, as they do beside a command. */
async function wake(bench: Workbench, holds = true, spared?: string): Promise<string[]> {
  const notes: string[] = [];
  await beside(
    bench,
    wakeParked(session(bench, holds), patience, (text) => void notes.push(text), spared),
  );
  return notes;
}

async function beside<T>(bench: Workbench, command: Promise<T>): Promise<T> {
  let over = false;
  const done = command.finally(() => {
    over = true;
  });
  while (!over) {
    await bench.quiet();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

const kim = { name: 'kim', through: 'machine' } as const;
const word = (bench: Workbench) => ({ by: kim, start: bench.world().ids.fresh(), at: new Date(bench.clock.now()).toISOString() });

/** A run that kim has approved while production is frozen, for two hours: it stays at its question. */
async function approvedAndFrozen(bench: Workbench): Promise<string> {
  const id = await parked(bench);
  const run = await bench.run(id);
  await freeze(bench.world(), repository.id, 'production', word(bench), '2h', 'year end');
  await answerQuestion(bench.world(), run, { digest: run.question?.digest ?? '', q: 1 }, { verdict: 'approve', person: kim });
  await bench.quiet();
  expect(await bench.run(id)).toMatchObject({ phase: 'awaiting', frozen: { q: 1 }, approvals: { by: ['kim'] } });
  bench.states.restart();
  return id;
}

it('starts the execution of a parked run again, and does not wait for its answer', async () => {
  const bench = openWorkbench();
  const id = await parked(bench);
  bench.states.restart();
  const started = bench.states.started.length;
  expect(await wake(bench)).toEqual([]);
  await bench.quiet();
  expect(bench.states.started.slice(started)).toEqual([`${id}-1`]);
  expect(await bench.run(id)).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
});

it('ends a run whose time is over, and says so', async () => {
  const bench = openWorkbench();
  const id = await parked(bench);
  const { question } = await bench.run(id);
  bench.states.restart();
  bench.clock.advance(25 * 3600 * 1000);
  expect(await wake(bench)).toEqual([`Nobody answered ${question?.digest.slice(0, 12)} of run ${id.slice(0, 12)} in time: it ends.`]);
  expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'expired' });
  expect(await openQuestions(bench.world(), repository.id)).toEqual([]);
});

it('leaves it to the command that holds the folder', async () => {
  const bench = openWorkbench();
  await parked(bench);
  bench.clock.advance(25 * 3600 * 1000);
  expect(await wake(bench, false)).toEqual([]);
  expect(bench.queues.waiting()).toEqual([]);
});

it('lets an approved run go on whose freeze is over, says so, and stays until it rests (I11)', async () => {
  const bench = openWorkbench();
  const id = await approvedAndFrozen(bench);
  expect(await wake(bench)).toEqual([]);
  expect(await bench.run(id)).toMatchObject({ phase: 'awaiting' });
  bench.clock.advance(2 * 3600 * 1000);
  expect(await wake(bench)).toEqual([`Run ${id.slice(0, 12)} (apply of production, main) has been answered, and nothing keeps it any more: it goes on first.`]);
  expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'complete' });
});

it('leaves the question to the command that is about to answer it', async () => {
  const bench = openWorkbench();
  const id = await approvedAndFrozen(bench);
  const { question } = await bench.run(id);
  bench.clock.advance(2 * 3600 * 1000);
  expect(await wake(bench, true, question?.digest.slice(0, 12))).toEqual([]);
  await bench.quiet();
  expect(await bench.run(id)).toMatchObject({ phase: 'awaiting' });
  expect(bench.provider.writes).toEqual([]);
});

it('ends an approved run whose time is over while it is frozen', async () => {
  const bench = openWorkbench();
  const id = await approvedAndFrozen(bench);
  await freeze(bench.world(), repository.id, 'production', word(bench), '9d', 'year end');
  bench.clock.advance(25 * 3600 * 1000);
  expect(await wake(bench)).toEqual([expect.stringMatching(/^Plan [0-9a-f]{12} of run [0-9a-f]{12} was answered, and not applied in time: it ends\.$/)]);
  expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'expired' });
});

it('waits for an approved run from the moment its freeze is taken back, whatever the run still says of it', async () => {
  const bench = openWorkbench();
  const id = await approvedAndFrozen(bench);
  await unfreeze(bench.world(), repository.id, 'production', word(bench));
  await queueStep(bench.world(), await bench.run(id));
  const rested = await beside(bench, untilRest(session(bench), id, patience, 1));
  expect(rested).toMatchObject({ phase: 'done', outcome: 'complete' });
});

it('waits until an answer under a freeze is heard', async () => {
  const bench = openWorkbench();
  const id = await parked(bench);
  await freeze(bench.world(), repository.id, 'production', word(bench), '2h', 'year end');
  await queueStep(bench.world(), await bench.run(id));
  await bench.quiet();
  const run = await bench.run(id);
  expect(run).toMatchObject({ frozen: { q: 1 }, approvals: { by: [] } });
  await answerQuestion(bench.world(), run, { digest: run.question?.digest ?? '', q: 1 }, { verdict: 'approve', person: kim });
  expect(await beside(bench, untilRest(session(bench), id, patience, 1))).toMatchObject({ phase: 'awaiting', approvals: { by: ['kim'] } });
});

it('does not wait for an answer that is frozen, or that was taken back', async () => {
  const bench = openWorkbench();
  const id = await approvedAndFrozen(bench);
  expect(await untilRest(session(bench), id, patience, 1)).toMatchObject({ phase: 'awaiting' });
  await unfreeze(bench.world(), repository.id, 'production', word(bench));
  const { question } = await bench.run(id);
  await withdraw(bench.world(), { run: id, digest: question?.digest ?? '', q: 1 }, kim, new Date(bench.clock.now()).toISOString());
  await queueStep(bench.world(), await bench.run(id));
  await bench.quiet();
  expect(await bench.run(id)).not.toHaveProperty('frozen');
  expect(await untilRest(session(bench), id, patience, 1)).toMatchObject({ phase: 'awaiting' });
  expect(bench.provider.writes).toEqual([]);
});
