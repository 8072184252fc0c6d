import { beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../../test/ports/people.ts';
import { approvedRun, deployedTo, plannedIn } from '../../test/ports/rounds.ts';
import { stillSealed } from '../../test/ports/still-sealed.ts';
import { commitOf, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import type { Run } from '../run/items.ts';
import { retryRun } from '../run/retry.ts';

let bench: Workbench;
beforeEach(() => {
  bench = openWorkbench();
});

const producer = { id: 'p', things: { x: '1' } };
const dependent = { id: 'd', things: { y: { from: 'p.once' }, z: '${lines.p.once} of ${lines.p.value}' } };
const scope = scopeOf(7);
const entryOf = async (line: string, at = 0) => (await readLedgerLine(bench.memory.table, scope, line))?.entries[at];
const value = (name: string) => bench.provider.find(name)?.value;
const release = (commit: string, lines: readonly object[] = [producer, dependent]) => bench.release(7, commit, lines);

/** A person's run of the same scope, with options. */
async function commanded(commit: string, lines: readonly object[], options: Partial<Run['options']>, intent: 'plan' | 'apply' = 'apply'): Promise<Run> {
  bench.pull(7, commit, lines);
  const id = await bench.command({ commit, intent, scope: 'pr-7', options: { busy: 'fail', ...options } });
  await bench.quiet();
  return bench.run(id);
}
const lineOf = async (run: Run, id: string) => (await bench.report(run.id)).lines.find((line) => line.id === id);

describe('an output that is given once', () => {
  it('is written when it is given, and kept from then on; both sides keep fingerprints alone (R1.80, R1.81, I3)', async () => {
    expect((await release('one')).outcome).toBe('complete');
    expect([value('y'), value('z')]).toEqual(['told-once-of-id-1', 'told-once-of-id-1 of 1']);
    expect(await entryOf('p')).toMatchObject({ onceFingerprints: { once: { mac: expect.any(String) } } });
    expect((await entryOf('d'))?.onceInputs).toEqual({ 'p.once': expect.anything(), '${lines.p.once} of ${lines.p.value}': expect.anything() });
    const writes = bench.provider.writes.length;
    const again = await release('two');
    expect(await bench.statuses(again.id)).toEqual({ p: 'unchanged', d: 'unchanged' });
    expect(bench.provider.writes.length).toBe(writes);
    const stored = JSON.stringify([bench.memory.items(), ...bench.bucket.keys().flatMap((key) => bench.bucket.bodies(key)), bench.logged]);
    expect(stored).not.toContain('told-once-of');
  });

  it.each<[string, string, (b: Workbench) => void, readonly object[]]>([
    ['was edited outside', 'was edited outside', (b) => void b.provider.edit('y', 'by hand'), [producer, dependent]],
    ['is gone', 'would be created', (b) => b.provider.remove('y'), [producer, dependent]],
    ['would get one thing more', 'would be created', () => undefined, [producer, { ...dependent, things: { ...dependent.things, w: '1' } }]],
    ['is a new line', 'would be created', () => undefined, [producer, dependent, { id: 'e', things: { v: { from: 'p.once' } } }]],
    [
      'has another text around it',
      'was written with another value',
      () => undefined,
      [producer, { id: 'd', things: { y: { from: 'p.once' }, z: '${lines.p.once} or ${lines.p.value}' } }],
    ],
  ])('is not to be had again for a line that %s, not even by reconciling; a plan says so (OUTPUT_UNAVAILABLE, R1.81)', async (_what, why, happens, lines) => {
    await release('one');
    happens(bench);
    const before = bench.provider.names();
    const planned = await commanded('two', lines, { reconcile: true }, 'plan');
    expect(planned.outcome).toBe('failed');
    const told = (await bench.report(planned.id)).lines.at(-1);
    expect(told).toMatchObject({
      status: 'blocked',
      problem: { code: 'OUTPUT_UNAVAILABLE', message: expect.stringContaining(why), hint: expect.stringContaining('recreate p') },
    });
    const run = await commanded('three', lines, { reconcile: true });
    expect((await bench.report(run.id)).lines.at(-1)).toMatchObject({ status: 'blocked', problem: { code: 'OUTPUT_UNAVAILABLE' } });
    expect(bench.provider.names()).toEqual(before);
  });

  it('is not to be had from what was there before', async () => {
    bench.provider.edit('x', '1');
    const run = await release('one');
    expect(await lineOf(run, 'd')).toMatchObject({ status: 'blocked', problem: { code: 'OUTPUT_UNAVAILABLE' } });
  });

  it('stays sealed for a line that waits for a deployment as well', async () => {
    const waits = { id: 'd', things: { y: '${lines.p.once}@${lines.p.url}' } };
    const run = await release('one', [producer, waits]);
    expect(run.phase).toBe('waiting');
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(value('y')).toMatch(/^told-once-of-id-1@https:/);
    expect(stillSealed(bench.memory.items())).toEqual([]);
  });
});

it('is there for what was approved, also when a line of that run waited for a deployment first (I1)', async () => {
  const waits = { id: 'd', things: { y: '${lines.p.once}@${lines.p.url}' } };
  const waiting = await approvedRun(bench, 'one', [producer, waits], { scope: 'pr-7' });
  expect(waiting.phase).toBe('waiting');
  expect((await deployedTo(bench, waiting, 'one')).outcome).toBe('complete');
  expect(value('y')).toMatch(/^told-once-of-id-1@https:/);
  expect(stillSealed(bench.memory.items())).toEqual([]);
});

it('does not stay sealed in a run that another one takes the place of while it waits (I1)', async () => {
  const waits = { id: 'd', things: { y: '${lines.p.once}@${lines.p.url}' } };
  const run = await release('one', [producer, waits]);
  expect(stillSealed(bench.memory.items())).toHaveLength(1);
  await release('two', [producer]);
  expect((await bench.run(run.id)).outcome).toBe('superseded');
  expect(stillSealed(bench.memory.items())).toEqual([]);
});

describe('a line that is recreated', () => {
  const option = { recreate: ['p'] };

  it('is deleted and made anew, and its new value flows; a plan shows it, and it is no drift (R1.81)', async () => {
    await release('one');
    const planned = await commanded('two', [producer, dependent], option, 'plan');
    expect(planned.outcome).toBe('complete');
    expect(await lineOf(planned, 'p')).toMatchObject({ status: 'create', changes: [{ kind: 'create', replaces: true }] });
    expect(await lineOf(planned, 'd')).toMatchObject({ status: 'pending' });
    const run = await commanded('three', [producer, dependent], option);
    expect(run.outcome).toBe('complete');
    const report = await bench.report(run.id);
    expect(report.lines).toMatchObject([{ status: 'applied', notes: { recreated: 'thing x' } }, { status: 'applied' }]);
    expect(report.drift).toEqual([]);
    expect([bench.provider.find('x')?.id, value('y')]).toEqual(['id-4', 'told-once-of-id-4']);
    expect(await bench.statuses((await release('four')).id)).toEqual({ p: 'unchanged', d: 'unchanged' });
  });

  it('is not made anew once more by a retry, which nobody has said that of', async () => {
    await release('one');
    const run = await commanded('two', [producer, dependent], option);
    const id = await retryRun(bench.world(), run);
    await bench.quiet();
    expect(await bench.statuses(id)).toEqual({ p: 'unchanged', d: 'unchanged' });
    expect(bench.provider.find('x')?.id).toBe('id-4');
  });

  it('stays when the run fails later, and goes with the scope', async () => {
    await release('one');
    bench.provider.faults.fail((call) => call.method === 'PATCH', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'the test refuses it' }));
    const run = await commanded('two', [producer, dependent], option);
    expect(run.outcome).toBe('failed');
    expect(bench.provider.find('x')?.id).toBe('id-4');
    expect((await bench.close(7, 'two')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  it.each<[string, readonly object[], (b: Workbench) => void, readonly string[]]>([
    ['is not in the plan', [producer], () => undefined, ['q']],
    ['finds what nobody here has made', [producer, { id: 'n', things: { w: '1' } }], (b) => void b.provider.edit('w', '1'), ['n']],
  ])('is refused when it %s (USAGE)', async (_why, lines, happens, recreate) => {
    await release('one', [producer]);
    happens(bench);
    const run = await commanded('two', lines, { recreate });
    expect(run.outcome).toBe('failed');
    const codes = [run.problem?.code, ...(await bench.report(run.id)).lines.map(({ problem }) => problem?.code)];
    expect(codes).toContain('USAGE');
    expect(bench.provider.find('x')?.id).toBe('id-1');
    expect(bench.provider.find('w')?.id).toBe(recreate.includes('n') ? 'id-2' : undefined);
  });

  it('is refused where the thing was only adopted', async () => {
    bench.provider.edit('x', '1');
    await release('one', [producer]);
    const run = await commanded('two', [producer], option);
    expect(run.problem?.code).toBe('USAGE');
    expect(bench.provider.find('x')?.id).toBe('id-1');
  });

  it.each(['after', 'lost'] as const)(
    'goes on wherever a call dies or is lost (%s): one thing is there, and what is lost is made anew once more',
    async (fate) => {
      for (let at = 0; ; at += 1) {
        bench = openWorkbench();
        await release('one');
        bench.fates.plan(at, fate, (name) => name === 'provider.send' || name === 'table.write');
        const run = await commanded('two', [producer, dependent], option);
        if (bench.fates.met() === undefined) break;
        await bench.sweep();
        const now = await bench.run(run.id);
        const told = `${fate} ${at}: ${now.outcome} ${JSON.stringify(now.problem ?? (await bench.report(now.id)).lines.map(({ problem }) => problem?.code))}`;
        if (now.outcome !== 'complete') {
          const third = await commanded('three', [producer, dependent], option);
          expect(third.outcome, `${told}; ${JSON.stringify(third.problem ?? (await bench.report(third.id)).lines)}`).toBe('complete');
        }
        expect(bench.provider.find('x')?.id, told).not.toBe('id-1');
        expect(value('y'), told).toBe(`told-once-of-${bench.provider.find('x')?.id}`);
        expect(bench.provider.names(), told).toHaveLength(3);
        expect(await bench.statuses((await release('four')).id), told).toEqual({ p: 'unchanged', d: 'unchanged' });
      }
    },
  );
});

describe('a recreated line in a protected environment', () => {
  const asked = async (): Promise<Run> => {
    bench.code.commit(commitOf('zero'), planPath, planOf([producer, dependent]));
    const id = await bench.command({
      commit: 'zero',
      environment: 'production',
      scope: 'main',
      branch: 'main',
      options: { busy: 'fail', recreate: ['p'] },
    });
    await bench.quiet();
    return bench.run(id);
  };

  it('is asked about as a replacement of what is there, and its dependents as what waits for it; one question (P7, R1.81)', async () => {
    await approvedRun(bench, 'zero', [producer, dependent]);
    const run = await asked();
    expect(plannedIn(bench, run).lines).toMatchObject([
      {
        id: 'd',
        effects: [
          { action: 'update', paths: [{ waitsFor: 'p.once' }] },
          { action: 'update', paths: [{ waitsFor: '${lines.p.once} of ${lines.p.value}' }] },
        ],
      },
      {
        id: 'p',
        effects: [{ action: 'replace', order: ['delete', 'create'], before: { mac: expect.any(String) }, after: { mac: expect.any(String) } }],
      },
    ]);
    expect(await answer(bench, run)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(value('y')).toBe('told-once-of-id-4');
  });

  it('is not deleted under a decision about something else: what was edited meanwhile is asked about again (I7)', async () => {
    await approvedRun(bench, 'zero', [producer, dependent]);
    const run = await asked();
    bench.provider.edit('x', 'by hand');
    expect(await answer(bench, run)).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.find('x')?.id).toBe('id-1');
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('that dies at request or write %i after the decision goes on under it', async (at) => {
    await approvedRun(bench, 'zero', [producer, dependent]);
    const run = await asked();
    bench.fates.plan(at, 'after', (name) => name === 'provider.send');
    const ended = await answer(bench, run);
    expect(ended.question?.q).toBe(1);
    expect(bench.provider.names().filter((name) => name.startsWith('x='))).toEqual(['x=1']);
    expect(bench.provider.find('x')?.id).not.toBe('id-1');
  });
});
