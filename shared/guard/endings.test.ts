import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { comesFrom, deliverUntil } from '../../test/ports/deliver-until.ts';
import { written } from '../../test/ports/memory-table.ts';
import { answer, askedRun, putPolicy, wake, writeAnswer } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { planKey } from '../approvals/plan-document.ts';
import { grantLease, releaseLease } from '../lease/lease.ts';
import { deadStep } from '../run/dead-letter.ts';
import type { Run } from '../run/items.ts';
import { releaseAndWake } from '../run/release.ts';

const lines = [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' }, depends_on: ['a'] },
];
const next = [
  { id: 'a', things: { x: '2', z: '1' } },
  { id: 'b', things: { y: '3' }, depends_on: ['a'] },
];
const scope = scopeOf('main', 'production');
const digestOf = (run: Run): string => run.question?.digest ?? '';

/** A run whose first round applied line `a`, approved, and whose line `b` found that somebody had removed `y`. */
async function stoppedRun(bench: Workbench, stop: (run: Run) => boolean = () => false): Promise<Run> {
  await answer(bench, await askedRun(bench, lines, 'zero'));
  bench.clock.advance(1000);
  const run = await askedRun(bench, next, 'one');
  bench.provider.remove('y');
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  await deliverUntil(bench, async () => stop(await bench.run(run.id)));
  return bench.run(run.id);
}

async function atSecondQuestion(bench: Workbench): Promise<Run> {
  const run = await stoppedRun(bench);
  expect(run).toMatchObject({ phase: 'awaiting', round: 2, question: { q: 2 } });
  return run;
}

/** The newest receipt of the scope. */
function receipt(bench: Workbench): Record<string, unknown> {
  const key = bench.bucket.keys().find((one) => one.endsWith('/latest.json')) as string;
  return JSON.parse(bench.bucket.bodies(key).at(-1) as string);
}

/** Nothing waits for the run any more: no question, no execution, no message, no dead letter but those of this test. */
function expectNothingLeft(bench: Workbench, run: Run): void {
  expect(bench.memory.items().filter((item) => item.sk.startsWith(`QUESTION#${run.id}`) && item['state'] === 'open')).toEqual([]);
  expect([...bench.states.open.keys()].filter((name) => name.startsWith(run.id))).toEqual([]);
  expect(bench.memory.items().find((item) => item.sk === 'HEAD')?.['openRuns'] ?? new Set()).not.toContain(run.id);
  expect(disagreements(bench).filter((one) => !one.startsWith('y is in the ledger'))).toEqual([]);
}

describe('a stored plan that is not what its digest says', () => {
  test('ends its run at once, and writes nothing', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, lines);
    bench.bucket.plant(planKey(digestOf(run)), '{}');
    const before = bench.clock.now();
    expect(await answer(bench, run)).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'PLAN_CORRUPT' } });
    expect(bench.clock.now() - before).toBeLessThan(1_000);
    expect(bench.provider.names()).toEqual([]);
    expectNothingLeft(bench, run);
  });

  test('in a later round leaves a receipt of what was applied before', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    bench.bucket.plant(planKey(digestOf(run)), '{}');
    expect(await answer(bench, run)).toMatchObject({ outcome: 'failed', problem: { code: 'PLAN_CORRUPT' } });
    expect(receipt(bench)).toMatchObject({ run: run.id, status: 'failed', problem: { code: 'PLAN_CORRUPT' }, stops: [{ round: 1, step: 'b' }] });
    expectNothingLeft(bench, run);
  });
});

describe('a run that ends at its second question', () => {
  test('while another run has the lease waits for it, and keeps receipt, answers and stops', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    await grantLease(bench.world({ leaseTtl: 900_000 }), scope, 'another');
    await writeAnswer(bench, run, 'reject');
    await wake(bench, run);
    await deliverUntil(bench, async () => (await bench.run(run.id)).waitsUntil !== undefined);
    expect((await bench.run(run.id)).phase).toBe('settling');
    const released = bench.clock.now();
    await releaseAndWake(bench.world(), { ...run, id: 'another' });
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'rejected' });
    expect(Date.parse((await bench.report(run.id)).finishedAt) - released).toBeLessThan(5_000);
    expect(receipt(bench)).toMatchObject({ run: run.id, status: 'rejected', decisions: [{ verdict: 'reject' }], stops: [{ round: 1, step: 'b' }] });
    expectNothingLeft(bench, run);
  });

  test('after another run has settled leaves that one’s commit as the last applied', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    const head = bench.memory.items().find((item) => item.sk === 'HEAD') as { pk: string; sk: string };
    const history = [{ sha: 'theirs', at: '2026-01-01T00:00:00.000Z' }];
    await bench.memory.table.write({ pk: head.pk, sk: 'HEAD' }, { set: { settled: { run: 'another', fence: 99 }, history } }, { is: 'always' });
    expect((await answer(bench, run, 'reject')).outcome).toBe('rejected');
    expect(bench.memory.items().find((item) => item.sk === 'HEAD')?.['history']).toEqual(history);
  });

  test('after its own first round names its commit as the last applied', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    await answer(bench, run, 'reject');
    expect(bench.memory.items().find((item) => item.sk === 'HEAD')?.['history']).toMatchObject([{}, { sha: run.commit }]);
  });

  test('and dies on the way to its receipt lets the machine go all the same', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    bench.bucket.faults.fail(({ op, key }) => op === 'put' && key.startsWith('receipts/'), new Error('died'), 1);
    expect((await answer(bench, run, 'reject')).outcome).toBe('rejected');
    expectNothingLeft(bench, run);
  });

  test('keeps what was adopted, although the plan that nobody let go on does not name it', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    const item = bench.memory.items().find((one) => one.sk === 'LEDGER#b') as unknown as { pk: string; sk: string; entries: object[] };
    const adopted = { ...item.entries[0], createdBy: 'adopted' };
    await bench.memory.table.write({ pk: item.pk, sk: 'LEDGER#old' }, { put: { ...item, line: 'old', entries: [adopted] } }, { is: 'always' });
    await answer(bench, run, 'reject');
    expect(bench.memory.items().find((one) => one.sk === 'LEDGER#old')?.['entries']).toEqual([adopted]);
  });
});

describe('a death after people approved a first round and it was applied', () => {
  const die = (bench: Workbench, run: Run) => deadStep(bench.world(), { format: 1, run: run.id, group: run.repository.id });

  test.each(['preparing', 'planning', 'awaiting', 'guarding'] as const)('in %s leaves it, and ends failed with a receipt; dying twice, too', async (phase) => {
    for (const times of [1, 2]) {
      const bench = openWorkbench();
      const run = await stoppedRun(bench, (now) => now.round === 2 && now.phase === phase);
      if (phase === 'guarding') await toGuard(bench, run);
      expect(await bench.run(run.id)).toMatchObject({ round: 2, phase });
      for (let time = 0; time < times; time += 1) {
        await die(bench, run);
        // A death counts once it is another attempt's.
        const { step } = await bench.run(run.id);
        await bench.memory.table.write(
          { pk: `RUN#${run.id}`, sk: 'META' },
          { set: { step: { attempt: (step?.attempt ?? 0) + time + 1, until: 0 } } },
          { is: 'always' },
        );
      }
      await bench.quiet();
      await bench.sweep();
      expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'INTERRUPTED' } });
      expect(bench.provider.names()).toEqual(['x=2', 'z=1']);
      expect(receipt(bench)).toMatchObject({ run: run.id, status: 'failed' });
      expectNothingLeft(bench, run);
    }
  });

  async function toGuard(bench: Workbench, run: Run): Promise<void> {
    await bench.quiet();
    await grantLease(bench.world({ leaseTtl: 900_000 }), scope, 'another');
    await bench.memory.table.write({ pk: `RUN#${run.id}`, sk: 'META' }, { set: { options: { busy: 'wait' } } }, { is: 'always' });
    const asked = await bench.run(run.id);
    await writeAnswer(bench, asked, 'approve');
    await wake(bench, asked);
    await deliverUntil(bench, async () => (await bench.run(run.id)).waitsUntil !== undefined);
    await releaseLease(bench.world(), scope, 'another');
  }

  test('while it applies again undoes what it made in all its rounds, like every failure of a line (P1, P4)', async () => {
    const bench = openWorkbench();
    const run = await atSecondQuestion(bench);
    await writeAnswer(bench, run, 'approve');
    await wake(bench, run);
    await deliverUntil(bench, async () => (await bench.run(run.id)).phase === 'applying');
    await die(bench, run);
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect(bench.provider.names()).toEqual(['x=2']); // an update is not undone, and named
    expect((await bench.report(run.id)).notUndone).toEqual(['thing x']);
    expectNothingLeft(bench, run);
  });
});

test('many lines take the guard several steps: the machine is told only when they are entered', async () => {
  const bench = openWorkbench();
  const many = Array.from({ length: 60 }, (_, at) => ({ id: `n${at}`, things: { [`n${at}`]: '1' } }));
  const run = await askedRun(bench, many);
  const { write } = bench.memory.table;
  Object.assign(bench.memory.table, {
    write: async (...given: Parameters<typeof write>) => {
      if (given[0].sk.startsWith('LINE#')) bench.clock.advance(30);
      return write(...given);
    },
  });
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  await deliverUntil(bench, (message) => comesFrom(message, 'guard'));
  let steps = 0;
  await deliverUntil(bench, async () => {
    const { phase, cursor } = await bench.run(run.id);
    if (phase === 'guarding' && cursor) {
      steps += 1;
      expect([...bench.states.open.values()]).toEqual(['guard']);
    }
    return phase === 'applying';
  });
  expect(steps).toBeGreaterThan(0);
  Object.assign(bench.memory.table, { write });
  await bench.quiet();
  expect((await bench.run(run.id)).outcome).toBe('complete');
  expectNothingLeft(bench, run);
});

test('whoever was asked once is asked again, although policy protects less by then', async () => {
  const bench = openWorkbench();
  putPolicy(bench, JSON.stringify({ version: 1, environments: { staging: { protected: true } } }));
  const staging = { environment: 'preview' };
  const inStaging = (changes: readonly object[]) => changes.map((line) => ({ ...line, environment: 'staging' }));
  await answer(bench, await askedRun(bench, inStaging(lines), 'zero', staging));
  bench.clock.advance(1000);
  const run = await askedRun(bench, inStaging(next), 'one', staging);
  bench.provider.remove('y');
  putPolicy(bench, JSON.stringify({ version: 1, environments: {} }));
  const again = await answer(bench, run);
  expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 }, protects: ['staging'] });
  expect((await answer(bench, again)).outcome).toBe('complete');
});

test('one question about several environments stays open as long as each of them lets it, not as the run’s own does', async () => {
  const bench = openWorkbench();
  const environments = { preview: { expires: '14d' }, staging: { protected: true, expires: '2h' }, production: { expires: '6h' } };
  putPolicy(bench, JSON.stringify({ version: 1, environments }));
  const both = [
    { id: 'a', things: { x: '1' }, environment: 'staging' },
    { id: 'b', things: { y: '2' }, environment: 'production' },
  ];
  const asked = bench.clock.now();
  const run = await askedRun(bench, both, 'one', { environment: 'preview' });
  expect(run.protects).toEqual(['production', 'staging']);
  expect((run.question?.expiresAt ?? 0) - asked).toBeLessThanOrEqual(2 * 3_600_000 + 1_000);
  await bench.sweep(2 * 60 + 15);
  expect((await bench.run(run.id)).outcome).toBe('expired');
});

test('a step that dies right after it has ended the run leaves no open question: its message comes again (I12)', async () => {
  const bench = openWorkbench();
  const id = await bench.push('one', lines);
  await bench.quiet();
  const run = await bench.run(id);
  await writeAnswer(bench, run, 'approve');
  bench.code.tips.set('main', commitOf('two'));
  const question = () => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');
  bench.memory.faults.fail(written('PLAN#', 'QUESTION#'), new Error('died'), 1);
  await wake(bench, run);
  await bench.quiet();
  expect((await bench.run(id)).outcome).toBe('superseded');
  expect(question()).toEqual([]);
});
