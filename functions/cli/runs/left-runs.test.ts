import { beforeEach, expect, it } from 'vitest';
import { grantLease } from '../../../shared/lease/lease.ts';
import { createRun } from '../../../shared/run/create-run.ts';
import { readRun, saveRun } from '../../../shared/run/run-store.ts';
import { countingIds } from '../../../test/ports/counting-ids.ts';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { memoryObjects } from '../../../test/ports/memory-objects.ts';
import { memoryQueues } from '../../../test/ports/memory-queues.ts';
import { memoryTable } from '../../../test/ports/memory-table.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import type { Store } from '../folder/store.ts';
import { finishLeftRuns, openRuns, whenBusy } from './left-runs.ts';

const clock = manualClock();
const scope = 'r#main#preview#pr-1';
const timing = { leaseTtl: 300_000, skew: 0, functionTimeout: 30_000, storeTimeout: 5_000, httpTimeout: 20_000 };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
let queues: ReturnType<typeof memoryQueues>;
let notes: string[];
beforeEach(() => {
  queues = memoryQueues(clock);
  notes = [];
  store = { table: memoryTable().table, objects: memoryObjects().objects, queues: queues.queues, ids: countingIds(), clock, timing, log: quiet };
});

/** A session that has held the folder since now. */
function session(holds: boolean): LastingSession {
  clock.advance(1_000);
  const current = { holds, store, since: clock.now(), close: async () => undefined, abandon: async () => undefined };
  return { current: () => current, recover: async () => false, close: current.close, abandon: current.abandon };
}

function start(): Promise<string> {
  const repository = { id: 'r', owner: 'o', name: 'n', defaultBranch: 'main' };
  const plan = { name: 'main', path: 'release.plan.yaml' };
  return createRun(store, store.ids.fresh(), {
    intent: 'apply',
    repository,
    plan,
    environment: 'preview',
    scope: 'pr-1',
    commit: 'c',
    branch: 'b',
    options: { busy: 'fail' },
  });
}

async function end(id: string): Promise<void> {
  const run = await readRun(store.table, id);
  if (run) await saveRun(store, run, { phase: 'done', status: 'complete', outcome: 'complete' }, ['since']);
}

const note = (text: string) => void notes.push(text);
const patience = { progress: { show: () => undefined, clear: () => undefined }, signal: new AbortController().signal };

it('a run is open until it rests', async () => {
  const id = await start();
  expect((await openRuns(store)).map((run) => run.id)).toEqual([id]);
  await end(id);
  expect(await openRuns(store)).toEqual([]);
});

it('a run that was left is told of, woken and waited for', async () => {
  const id = await start();
  const sessions = session(true);
  const before = queues.sent.length;
  const finishing = finishLeftRuns(sessions, patience, note);
  await expect.poll(() => queues.sent.length).toBeGreaterThan(before);
  await end(id);
  await finishing;
  expect(notes).toEqual([`Run ${id.slice(0, 12)} (apply of preview, pr-1) was interrupted: it is finished first.`]);
});

it('beside another command nobody’s runs are taken for left ones', async () => {
  await start();
  await finishLeftRuns(session(false), patience, note);
  expect(notes).toEqual([]);
});

it('a free lease is not waited for', async () => {
  expect(await whenBusy(session(true), scope, note)).toBe('fail');
});

it('a lease that was held before the folder was taken is waited for, and its run is asked to give it back', async () => {
  const id = await start();
  await grantLease(store, scope, id);
  await end(id);
  const before = queues.sent.length;
  expect(await whenBusy(session(true), scope, note)).toBe('wait');
  expect(notes.join()).toContain('ended without giving its lease back');
  expect(queues.sent.slice(before)).toMatchObject([{ queue: 'control', message: { run: id } }]);
});

it('a lease that another command holds now is not', async () => {
  const sessions = session(true);
  clock.advance(1);
  await grantLease(store, scope, await start());
  expect(await whenBusy(sessions, scope, note)).toBe('fail');
  expect(await whenBusy(session(false), scope, note)).toBe('fail');
});

it('a lease that ran out is not waited for', async () => {
  await grantLease(store, scope, await start());
  clock.advance(timing.leaseTtl + 1);
  expect(await whenBusy(session(true), scope, note)).toBe('fail');
});
