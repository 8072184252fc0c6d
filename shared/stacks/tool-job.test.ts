import { describe, expect, test } from 'vitest';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import { stackKeys } from '../../test/ports/stack-keys.ts';
import { applyWork, jobTiming, openToolJobBench, type ToolJobBench } from '../../test/ports/tool-job-bench.ts';
import { Again } from '../run/again.ts';
import { endJob } from './end-job.ts';
import type { ToolRecord } from './tool-record.ts';

const { leaseTtl } = jobTiming;
const workedOnce = ({ runner }: ToolJobBench) => expect(runner.began).toHaveLength(1);
const letters = ({ bucket }: ToolJobBench) => bucket.keys().map((key) => key.split('/').at(-1));

async function deliverUntil(bench: ToolJobBench, run: string, at: string): Promise<void> {
  for (let times = 0; times < 20; times += 1) {
    if (bench.runner.processes().some((one) => one.at === at)) return;
    await bench.deliver(run);
    bench.clock.advance(1000);
  }
  throw new Error(`no process is ${at}`);
}

describe('a tool job (P9)', () => {
  test('is written down before it is started, given its work sealed to its process, and its answer taken', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    const answer = await bench.toItsEnd('one');
    expect(answer).toMatchObject({ outcome: { did: 'applied' }, record: { run: 'one', purpose: 'apply', fence: 1, job: 'job-1' } });
    workedOnce(bench);
    expect(bench.runner.began[0]?.work).toEqual(applyWork);
    expect(letters(bench)).toEqual(['hello', 'input', 'result']);
    for (const key of bench.bucket.keys()) for (const body of bench.bucket.bodies(key)) expect(body).not.toContain('canary');
  });

  test('that is asked for again after its answer was written down gives the same answer and starts nothing', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    const first = await bench.toItsEnd('one');
    expect(await bench.toItsEnd('one')).toMatchObject({ outcome: (first as { outcome: object }).outcome });
    workedOnce(bench);
    expect(bench.runner.processes()).toHaveLength(1);
  });

  test('that two starts made is done by the process that said hello first; the end of the other says nothing of it', async () => {
    const bench = openToolJobBench();
    bench.runner.forgets = true;
    bench.runner.tool = () => 'works';
    await bench.prepare('one');
    bench.fate.plan(0, 'lost', (name) => name === 'tools.start');
    await expect(bench.deliver('one')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    await bench.deliver('one');
    expect(bench.runner.processes().map(({ job }) => job)).toEqual(['job-1', 'job-2']);
    await bench.runner.step();
    await deliverUntil(bench, 'one', 'working');
    expect(bench.runner.processes().map(({ at }) => at)).toEqual(['working', 'ended']);
    expect(await bench.deliver('one')).toHaveProperty('later');
    bench.runner.tool = () => 'dies';
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'gone', record: { job: 'job-2' } });
    workedOnce(bench);
  });

  test('whose process is gone before it said hello has not begun, and never will', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    await bench.deliver('one');
    await bench.runner.tools.stop('job-1');
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'not-begun' });
    expect(bench.runner.began).toEqual([]);
  });

  test('whose mailbox was cleared away since has done nobody knows what (I11)', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'dies';
    await bench.prepare('one');
    await bench.deliver('one');
    const record = (await bench.ledger()).external as ToolRecord;
    expect(record.job).toBe('job-1');
    const end = { tools: bench.runner.tools, objects: memoryObjects(bench.clock).objects, keys: stackKeys };
    expect(await endJob(end, record, bench.clock.now() + 3 * 24 * 3_600_000, 1)).toEqual({ lost: 'gone' });
    expect(await endJob(end, record, bench.clock.now(), 1)).toEqual({ lost: 'not-begun' });
  });

  test('whose process is gone before it had its work is given none', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'waiting');
    await bench.runner.tools.stop('job-1');
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'not-begun' });
  });

  test('in whose mailbox somebody has put what is no answer is waited for: whether the tool works on its runner alone tells', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    const [hello] = bench.bucket.keys();
    await bench.bucket.objects.put(String(hello).replace(/hello$/, 'result'), 'no answer', { ifAbsent: true });
    expect(await bench.deliver('one')).toHaveProperty('later');
    expect(bench.runner.processes()).toMatchObject([{ at: 'working' }]);
    await bench.runner.tools.stop('job-1');
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'stopped' });
  });

  test('whose process is gone with its work has done nobody knows what', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'dies';
    await bench.prepare('one');
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'gone' });
  });

  test('that answers what is no answer has done nobody knows what', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => ({
      format: 1,
      words: '',
      did: 'planned',
      plan: { changes: [], drift: [], outputs: {}, version: '1', saved: { bytes: '', sha256: '../../receipts' } },
    });
    await bench.prepare('one');
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'gone' });
  });

  test('waits for its work for some minutes: a worker that comes later finds that nobody takes it any more', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'waiting');
    bench.clock.advance(301_000);
    await bench.runner.step();
    expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'not-begun' });
  });

  test.each([
    ['asks it to end its tool, and takes what it answers', false],
    ['stops it where it does not', true],
  ])('a deadline that has passed %s', async (_what, deaf) => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    bench.runner.lingers = true;
    bench.runner.timeless = true;
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    bench.clock.advance(applyWork.timeoutMs + 20 * 60_000);
    bench.runner.deaf = deaf;
    expect(await bench.deliver('one')).toHaveProperty('later');
    expect(letters(bench)).toContain('cancel');
    expect(await bench.toItsEnd('one')).toMatchObject(deaf ? { lost: 'stopped' } : { outcome: { did: 'failed', cause: 'stopped' } });
  });

  test('of a cancelled run is not started, and ended where it is at work', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    expect(await bench.deliver('one', { ends: true })).toEqual({ lost: 'not-begun' });
    expect(bench.runner.processes()).toEqual([]);
    bench.runner.tool = () => 'works';
    await deliverUntil(bench, 'one', 'working');
    expect(await bench.toItsEnd('one', { ends: true })).toMatchObject({ outcome: { cause: 'stopped' } });
  });

  test('of an earlier round that nobody heard is ended before the next is started, and what it did is noted', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    expect(await bench.toItsEnd('one', { round: 2, ends: true })).toEqual({ lost: 'not-begun' });
    expect(await bench.ledger()).toMatchObject({ external: { round: 1, ended: expect.any(Number) }, left: { run: 'one', did: 'failed', cause: 'stopped' } });
    bench.runner.tool = () => ({ format: 1, words: '', did: 'applied', changes: [], differs: [], outputs: {}, resources: [] });
    expect(await bench.toItsEnd('one', { round: 2 })).toMatchObject({ outcome: { did: 'applied' }, record: { round: 2 } });
    expect(bench.broken).toEqual([]);
  });
});

/** That the other run's control step is handed back, and for how long. */
const refusal = (bench: ToolJobBench): Promise<Again | undefined> =>
  bench.prepare('two').then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Again) return error;
      throw error;
    },
  );

describe('a new holder of the lease that meets a job of another run (P9, P3, I9)', () => {
  test('asks it to end, stops it, waits for its end, notes what it did, and only then has the lease sealed (I9)', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    bench.runner.lingers = true;
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    const before = await bench.ledger();
    bench.clock.advance(leaseTtl + 1);
    bench.runner.deaf = true;
    const lease = () => bench.memory.peek('SCOPE#repo#main#production#main', 'LEASE');
    let refusals = 0;
    for (let refused = await refusal(bench); refused; refused = await refusal(bench), refusals += 1) {
      expect(lease()).toMatchObject({ holder: 'two', fence: 2, sealedAt: 1 });
      expect(bench.runner.processes()[0]?.at).toBe('working');
      bench.clock.advance(refused.seconds * 1000);
    }
    expect(refusals).toBeGreaterThan(2);
    expect(lease()).toMatchObject({ holder: 'two', fence: 2, sealedAt: 2 });
    const after = await bench.ledger();
    expect(after).toMatchObject({ lastRun: 'one', left: { run: 'one', did: 'stopped' }, external: { run: 'one', ended: expect.any(Number) } });
    expect(after.version).not.toBe(before.version);
    expect(await bench.deliver('one')).toBe('lock lost');
    expect(bench.broken).toEqual([]);
  });

  test('takes the result that came meanwhile, with the state that it left', async () => {
    const bench = openToolJobBench();
    const state = { lineage: 'a lineage', serial: 7 };
    bench.runner.tool = () => ({ format: 1, words: '', did: 'applied', changes: [], differs: [], outputs: {}, resources: [], state });
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    await bench.runner.step();
    bench.clock.advance(leaseTtl + 1);
    expect(await bench.prepare('two')).toBe(true);
    expect(await bench.ledger()).toMatchObject({ left: { run: 'one', did: 'applied', state } });
    expect(letters(bench)).not.toContain('cancel');
  });

  test('need not wait for one that was never started: a start that comes later finds its hello closed', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    bench.fate.plan(0, 'before', (name) => name === 'tools.start');
    await expect(bench.deliver('one')).rejects.toThrow();
    const token = (await bench.ledger()).external?.token as string;
    bench.clock.advance(leaseTtl + 1);
    expect(await bench.prepare('two')).toBe(true);
    expect(await bench.ledger()).not.toHaveProperty('left');
    await bench.runner.tools.start({ token, purpose: 'apply', timeoutMs: 600_000 });
    await bench.runner.step();
    await bench.runner.step();
    expect(bench.runner.processes()).toMatchObject([{ at: 'ended' }]);
    expect(bench.runner.began).toEqual([]);
  });

  test('nor for one that has not had its work: a worker that stood still right before it handed it over hands it to nobody', async () => {
    const bench = openToolJobBench();
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'waiting');
    bench.fate.plan(0, 'frozen', (name) => name === 'objects.put');
    const still = bench.fate.frozen();
    const late = bench.deliver('one');
    await still;
    bench.clock.advance(leaseTtl + 1);
    expect(await bench.prepare('two')).toBe(true);
    bench.fate.thaw();
    await late.catch(() => undefined);
    await bench.runner.step();
    expect(bench.runner.began).toEqual([]);
    expect(bench.runner.processes()).toMatchObject([{ at: 'ended' }]);
  });

  test('and no other: a run that lost its lease and has it again goes on with its own job', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    bench.clock.advance(leaseTtl + 1);
    expect(await bench.deliver('one')).toHaveProperty('later');
    expect(await bench.ledger()).toMatchObject({ fence: 2, external: { fence: 1 } });
    expect(letters(bench)).not.toContain('cancel');
    workedOnce(bench);
  });

  test('waits where nothing is there that could end it', async () => {
    const bench = openToolJobBench();
    bench.runner.tool = () => 'works';
    await bench.prepare('one');
    await deliverUntil(bench, 'one', 'working');
    bench.clock.advance(leaseTtl + 1);
    const { grantLease } = await import('../lease/lease.ts');
    const { table } = bench.memory;
    const blind = { table, ids: { fresh: () => 'an id of twenty-six letters' }, clock: bench.clock, timing: jobTiming };
    await expect(grantLease(blind, 'repo#main#production#main', 'two')).rejects.toBeInstanceOf(Again);
  });
});

test('a letter that is none keeps no lease from being sealed: the job is ended by what its runner answered (P9, I11)', async () => {
  const bench = openToolJobBench();
  bench.runner.tool = () => 'works';
  bench.runner.deaf = true;
  await bench.prepare('one');
  await deliverUntil(bench, 'one', 'working');
  for (const key of bench.bucket.keys()) bench.bucket.plant(key, '<html>');
  bench.clock.advance(leaseTtl + 1);
  await bench.takeOver('two');
  expect(bench.runner.processes()).toMatchObject([{ at: 'ended', state: 'stopped' }]);
  expect(await bench.ledger()).toMatchObject({ left: { run: 'one', did: 'stopped' } });
  expect(bench.broken).toEqual([]);
});

test('a process that says no key is given no work (P9)', async () => {
  const bench = openToolJobBench();
  await bench.prepare('one');
  await deliverUntil(bench, 'one', 'waiting');
  for (const key of bench.bucket.keys()) bench.bucket.plant(key, '{}');
  expect(await bench.toItsEnd('one')).toMatchObject({ lost: 'not-begun' });
  expect(bench.runner.began).toEqual([]);
});

/** Every call that a story makes on its ports, each with every fate. */
async function sweep(fates: readonly ('before' | 'after' | 'lost' | 'unsent')[], story: (bench: ToolJobBench) => Promise<void>): Promise<string[]> {
  const told = openToolJobBench();
  await story(told);
  const wrong: string[] = [];
  for (const [at, { name }] of told.fate.calls.entries()) {
    for (const fate of fates) {
      const bench = openToolJobBench();
      bench.fate.plan(at, fate);
      await story(bench).catch((error: unknown) => wrong.push(`${fate} ${at} ${name}: ${error instanceof Error ? error.message : error}`));
      wrong.push(...bench.broken.map((why) => `${fate} ${at} ${name}: ${why}`));
    }
  }
  return wrong;
}

const worksFor =
  (steps: number) =>
  (_work: object, { step }: { step: number }) =>
    step < steps ? ('works' as const) : { format: 1 as const, words: '', did: 'applied' as const, changes: [], differs: [], outputs: {}, resources: [] };

describe('wherever one fault falls (P1, P9, I9, I11)', () => {
  test.each([false, true])('one tool runs, and its answer is heard (a second start makes a second process: %s)', async (forgets) => {
    const wrong = await sweep(['before', 'after', 'lost', 'unsent'], async (bench) => {
      bench.runner.tool = worksFor(2);
      bench.runner.forgets = forgets;
      await bench.takeOver('one');
      expect(await bench.toItsEnd('one')).toMatchObject({ outcome: { did: 'applied' } });
      // The same message once more: the line was final before it could say so.
      expect(await bench.toItsEnd('one')).toMatchObject({ outcome: { did: 'applied' } });
      workedOnce(bench);
    });
    expect(wrong).toEqual([]);
  });

  test('a run that takes the lease over ends the job, and its own is the only one at work', async () => {
    const wrong = await sweep(['before', 'after', 'lost', 'unsent'], async (bench) => {
      bench.runner.tool = worksFor(40);
      bench.runner.forgets = true;
      await bench.takeOver('one');
      for (let times = 0; times < 4; times += 1) {
        await bench.deliver('one').catch(() => undefined);
        bench.clock.advance(1000);
      }
      bench.clock.advance(leaseTtl + 1);
      await bench.takeOver('two');
      expect(await bench.toItsEnd('one')).toBe('lock lost');
      bench.runner.tool = worksFor(2);
      expect(await bench.toItsEnd('two')).toMatchObject({ outcome: { did: 'applied' } });
    });
    expect(wrong).toEqual([]);
  });

  test('a worker that stands still at any call, until another run has come and gone, does no harm when it goes on', async () => {
    const wrong: string[] = [];
    for (let at = 0; ; at += 1) {
      const bench = openToolJobBench();
      bench.runner.tool = worksFor(3);
      bench.runner.forgets = true;
      await bench.takeOver('one');
      bench.fate.plan(at, 'frozen');
      const still = bench.fate.frozen().then(() => true);
      const first = bench.toItsEnd('one').then(() => false);
      if (!(await Promise.race([still, first]))) break;
      const name = bench.fate.met();
      bench.clock.advance(leaseTtl + 1);
      await bench.takeOver('two');
      const second = await bench.toItsEnd('two');
      bench.fate.thaw();
      await first;
      for (let times = 0; times < 5; times += 1) await bench.runner.step();
      if (second === 'lock lost' || !('outcome' in second)) wrong.push(`${at} ${name}: two was not heard`);
      if (bench.runner.began.filter(({ token }) => token.startsWith('one-')).length > 1) wrong.push(`${at} ${name}: one worked twice`);
      wrong.push(...bench.broken.map((why) => `${at} ${name}: ${why}`));
    }
    expect(wrong).toEqual([]);
  });
});
