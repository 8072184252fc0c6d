import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { exampleRegistry, things } from '../../test/ports/example-op.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { Op } from '../engine/op.ts';
import { deadLine, deadStep } from './dead-letter.ts';
import type { Run } from './items.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

/** Every job of this line dies, however often it is delivered. */
const kills = (bench: Workbench, phase: string, line: string) =>
  bench.memory.faults.fail(
    (call) =>
      call.op === 'write' &&
      call.key.sk === `LINE#${line}` &&
      'set' in call.change &&
      call.change.set?.['result'] !== undefined &&
      phaseOf(call.when) === phase,
    new Error('the function died'),
    5,
  );

const phaseOf = (when: unknown): string | undefined => /"attribute":"phase","value":"([^"]+)"/.exec(JSON.stringify(when))?.[1];

/** Delivers until the run's phase is `phase`. */
async function until(bench: Workbench, id: string, phase: string): Promise<Run> {
  for (;;) {
    const run = await bench.run(id).catch(() => undefined);
    if (run?.phase === phase) return run;
    const next = bench.queues.take();
    if (!next) throw new Error(`the run never came to ${phase}`);
    await bench.deliver(next);
  }
}

describe('a line whose job dies more often than the queue allows (P1)', () => {
  test('fails in applying, and what the run made is taken back (I2, I11)', async () => {
    const bench = openWorkbench();
    kills(bench, 'applying', 'b');
    const run = await bench.release(7, 'one', chain);
    expect(run.outcome).toBe('failed');
    expect(await bench.statuses(run.id)).toEqual({ a: 'rolled_back', b: 'failed' });
    expect((await bench.report(run.id)).lines[1]?.problem?.code).toBe('INTERRUPTED');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('fails its rollback in rolling back, and the run still ends', async () => {
    const bench = openWorkbench();
    bench.provider.edit('b', 'in the way');
    kills(bench, 'rolling-back', 'a');
    const run = await bench.release(7, 'one', chain);
    expect(run.outcome).toBe('failed');
    expect(await bench.statuses(run.id)).toEqual({ a: 'rollback_failed', b: 'blocked' });
  });

  test('fails a redeploy, which undoes nothing (P8)', async () => {
    const redeploy = { group: () => 'site', run: async () => true, outputs: async () => undefined };
    const op = { ...things, redeploy } as Op;
    const bench = openWorkbench(undefined, { registry: { ...exampleRegistry, find: () => op } });
    kills(bench, 'applying', 'redeploy%3A1');
    const run = await bench.release(7, 'one', [{ id: 'a', things: { a: '1' } }]);
    expect(run.outcome).toBe('failed');
    expect((await bench.report(run.id)).lines).toMatchObject([{ status: 'applied', problem: { code: 'REDEPLOY_FAILED' } }]);
    expect(bench.provider.names()).toEqual(['a=1']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('fails a destroy, which the sweep tries again until it is done (I8)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', chain);
    kills(bench, 'applying', 'a');
    const run = await bench.close(7, 'one');
    expect(run.outcome).toBe('failed');
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('is an error in planning, and blocks what needs it', async () => {
    const bench = openWorkbench();
    bench.memory.faults.fail(
      (call) => call.op === 'write' && call.key.sk === 'LINE#a' && 'set' in call.change && call.change.set?.['result'] !== undefined,
      new Error('the function died'),
      5,
    );
    bench.pull(7, 'one', chain);
    const id = await bench.command({ commit: 'one', intent: 'plan' });
    await bench.quiet();
    expect(await bench.statuses(id)).toEqual({ a: 'error', b: 'blocked' });
    expect((await bench.run(id)).outcome).toBe('failed');
  });

  test('and that another worker holds is left to it', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', chain);
    const id = await bench.event('opened', 7, 'one');
    await until(bench, id, 'applying');
    const message = { format: 1 as const, run: id, round: 1, phase: 'applying' as const, line: 'a', group: '7101' };
    bench.provider.faults.before(
      (call) => call.method === 'POST',
      () => expect(deadLine(bench.world(), message)).rejects.toMatchObject({ name: 'Again' }),
    );
    await bench.quiet();
    expect((await bench.run(id)).outcome).toBe('complete');
  });

  test('and that has finished after all repeats its tail', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', chain);
    const items = bench.memory.items();
    await deadLine(bench.world(), { format: 1, run: run.id, round: 1, phase: 'applying', line: 'a', group: '7101' });
    expect(bench.memory.items()).toEqual(items);
  });
});

describe('a control step that dies more often than the queue allows (P1)', () => {
  const dies = (run: string) => ({ format: 1 as const, run, group: '7101' });

  test('while it prepares ends the run failed, with nothing written', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', chain);
    const id = await bench.event('opened', 7, 'one');
    await until(bench, id, 'preparing');
    bench.queues.take();
    await deadStep(bench.world(), dies(id));
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'failed', stopping: { cause: 'died' } });
    expect(bench.provider.writes).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('while lines are at work lets them drain, then takes back what the run made', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', chain);
    const id = await bench.event('opened', 7, 'one');
    await until(bench, id, 'applying');
    const line = bench.queues.take('lines');
    if (!line) throw new Error('no line');
    await bench.deliver(line);
    await deadStep(bench.world(), dies(id));
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(bench.provider.writes.map((one) => `${one.method} ${one.name}`)).toEqual(['POST a', 'DELETE a']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('told twice is one death: what the run made is still taken back (I2, I10)', async () => {
    const bench = openWorkbench();
    bench.provider.edit('b', 'in the way');
    bench.pull(7, 'one', chain);
    const id = await bench.event('opened', 7, 'one');
    await until(bench, id, 'applying');
    for (let line = bench.queues.take('lines'); line; line = bench.queues.take('lines')) await bench.deliver(line);
    await deadStep(bench.world(), dies(id));
    await deadStep(bench.world(), dies(id));
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(bench.provider.names()).toEqual(['b=in the way']);
  });

  test('of a run that is done or waits is nothing', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', chain);
    const items = bench.memory.items();
    await deadStep(bench.world(), dies(run.id));
    expect(bench.memory.items()).toEqual(items);
  });

  test('of an intake takes it out of what the sweep wakes', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', chain);
    await bench.event('opened', 7, 'one');
    const queued = bench.queues.take();
    if (queued?.queue !== 'control') throw new Error('no intake');
    await deadStep(bench.world(), queued.message);
    await bench.sweep();
    expect(bench.memory.items().filter((item) => item['item'] === 'run')).toEqual([]);
    expect(bench.logged).toContainEqual(expect.objectContaining({ level: 'error', message: 'an intake died' }));
  });

  test('and dies again ends the run, so that it never stands for ever (I11)', async () => {
    const bench = openWorkbench();
    bench.memory.faults.fail((call) => call.op === 'write' && call.key.sk === 'HEAD' && 'set' in call.change, new Error('this head cannot be written'), 1_000);
    bench.pull(7, 'one', chain);
    const id = await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect(await bench.run(id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    bench.memory.faults.clear();
    expect((await bench.release(7, 'two', chain)).outcome).toBe('complete');
    expect(disagreements(bench)).toEqual([]);
  });
});
