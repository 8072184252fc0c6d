import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../../shared/run/items.ts';
import { commitOf, openWorkbench, type Workbench } from '../../../test/ports/workbench.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import { Interrupted } from '../interrupted.ts';
import { type Staying, untilOver } from './await-event.ts';

let bench: Workbench;
let waiting: Run;
let shown: string[];
beforeEach(async () => {
  bench = openWorkbench();
  shown = [];
  waiting = await bench.release(7, 'one', [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: '${lines.a.url}/callback' } },
  ]);
  expect(waiting).toMatchObject({ phase: 'waiting', outcome: 'partial' });
});

/** Stays with the run while the stack is at work beside. */
async function stay(staying: Staying, signal: AbortSignal = new AbortController().signal) {
  const world = bench.world();
  const session = { holds: true, store: world, since: 0 };
  const sessions = { current: () => session, recover: async () => false } as unknown as LastingSession;
  const progress = { show: (step: string, detail?: string) => void shown.push(`${step}: ${detail}`), clear: () => undefined };
  let over = false;
  const stayed = untilOver(sessions, waiting, { progress, signal, everyMs: 1 }, staying).finally(() => {
    over = true;
  });
  stayed.catch(() => undefined);
  while (!over) {
    await bench.quiet();
    await setImmediate();
  }
  return stayed;
}

describe('a command that stays with a run that waits for an event', () => {
  it('has it look for the event itself where nobody hears of one, and goes on with it; a look writes nothing (R1.35, R1.49)', async () => {
    const before = bench.provider.writes.length;
    bench.clock.advance(1000);
    const looks = () => bench.provider.calls.filter(({ path }) => path.startsWith('deployments/')).length;
    const first = looks();
    bench.provider.faults.before(
      ({ path }) => path.startsWith('deployments/') && looks() > first + 3,
      () => bench.provider.deploy(commitOf('one'), 'success'),
    );
    const { run, problem } = await stay({ seconds: 600, lookEveryMs: 0 });
    expect(problem).toBeUndefined();
    expect(run).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
    expect(bench.provider.writes.length).toBe(before + 1);
    expect(bench.provider.find('y')?.value).toMatch(/\/callback$/);
    expect(shown[0]).toContain('Waiting for deploy: line b, 0 of 600 s');
  });

  it('learns that the event has failed: its line is skipped with EXTERNAL_FAILED, and what was applied stays (R1.49)', async () => {
    bench.provider.deploy(commitOf('one'), 'failure');
    const { run } = await stay({ seconds: 600, lookEveryMs: 0 });
    expect(run.outcome).toBe('failed');
    expect((await bench.report(run.id)).lines).toMatchObject([{ status: 'unchanged' }, { status: 'skipped', problem: { code: 'EXTERNAL_FAILED' } }]);
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  it('waits for as long as it was told to: WAIT_TIMEOUT, what was applied stays, and the event still resumes the run (R1.49)', async () => {
    const { run, problem } = await stay({ seconds: 0, lookEveryMs: 0 });
    expect(problem).toMatchObject({ code: 'WAIT_TIMEOUT', message: expect.stringContaining('line b') });
    expect(run.phase).toBe('waiting');
    expect(bench.provider.names()).toEqual(['x=1']);
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  it('only follows where somebody else hears of events: it asks for nothing', async () => {
    const calls = bench.provider.calls.length;
    const { problem } = await stay({ seconds: 0 });
    expect(problem?.code).toBe('WAIT_TIMEOUT');
    expect(bench.provider.calls.length).toBe(calls);
  });

  it('leaves at Ctrl-C and says how it goes on', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(stay({ seconds: 600, lookEveryMs: 0 }, controller.signal)).rejects.toThrow(Interrupted);
    expect((await bench.run(waiting.id)).phase).toBe('waiting');
  });
});
