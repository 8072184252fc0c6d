import { expect, it } from 'vitest';
import { openQuestions } from '../../../shared/run/questions.ts';
import { openWorkbench, repository, type Workbench } from '../../../test/ports/workbench.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
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
async function wake(bench: Workbench, holds = true): Promise<string[]> {
  const notes: string[] = [];
  let over = false;
  const woken = wakeParked(session(bench, holds), patience, (text) => void notes.push(text)).finally(() => {
    over = true;
  });
  while (!over) {
    await bench.quiet();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await woken;
  return notes;
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
  expect(await wake(bench)).toEqual([`Nobody answered ${question?.digest.slice(0, 12)} of run ${id.slice(0, 8)} in time: it ends.`]);
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
