import { expect } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { mayFail, type Part, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { wake, writeAnswer } from '../../test/ports/people.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const open = (bench: Workbench) => bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['state'] === 'open');

/** Writes that reached the provider, and took effect, by name. */
const written = (bench: Workbench) => bench.provider.writes.map(({ name }) => name).sort();

async function started(bench: Workbench, commit: string, changes: readonly object[]): Promise<string> {
  bench.pull(7, commit, changes);
  return bench.command({ commit, environment: 'production', scope: 'main', options: { busy: 'wait' } });
}

/** Comes to rest at a question: exactly one is open, and it is the one the run puts (I12). Undefined: a provider's lost answer failed it. */
async function parked(bench: Workbench, id: string, q: number): Promise<Run | undefined> {
  await bench.quiet();
  for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'awaiting'; times += 1) await bench.sweep();
  const run = await bench.run(id);
  if (run.outcome === 'failed' && mayFail(bench)) return undefined;
  expect(run).toMatchObject({ phase: 'awaiting', question: { q } });
  if (open(bench).length === 0) await bench.sweep(); // a death right after the swap: the schedule finds a run that nobody can answer
  expect(open(bench).map((item) => [item['run'], item['q'], item['digest']])).toEqual([[id, q, run.question?.digest]]);
  expect(bench.states.open.size).toBeLessThanOrEqual(1);
  return run;
}

/** Somebody answers; `told`: and the run is woken, else the schedule has to find it. */
async function answered(bench: Workbench, run: Run, verdict: 'approve' | 'reject', told = true): Promise<void> {
  await writeAnswer(bench, run, verdict);
  if (told) await wake(bench, run);
}

async function atRest(bench: Workbench, id: string): Promise<Run> {
  await bench.quiet();
  for (let times = 0; times < 3 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
  await rest(bench);
  for (let times = 0; times < 2 && bench.states.open.size > 0; times += 1) await bench.sweep();
  expect(open(bench)).toEqual([]);
  expect([...bench.states.open]).toEqual([]);
  expect(bench.logged.filter(({ message }) => / died$/.test(message))).toEqual([]);
  return bench.run(id);
}

/** A run whose second round ends without applying: the thing that was removed outside stays in the ledger. */
async function ended(bench: Workbench, id: string): Promise<Run> {
  await bench.quiet();
  for (let times = 0; times < 3 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
  for (let times = 0; times < 2 && (disagreements(bench).length > 1 || bench.states.open.size > 0); times += 1) await bench.sweep();
  expect(disagreements(bench)).toEqual(['b is in the ledger and not at the provider']);
  expect([open(bench), [...bench.states.open]]).toEqual([[], []]);
  return bench.run(id);
}

async function ends(bench: Workbench, id: string, outcome: string): Promise<boolean> {
  const run = await atRest(bench, id);
  if (run.outcome === 'failed' && mayFail(bench)) return false;
  expect(run.outcome).toBe(outcome);
  return true;
}

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

const next = [
  { id: 'a', things: { a: '2' } },
  { id: 'b', things: { b: '3' }, depends_on: ['a'] },
];

/** A run with a question of its own, from its start until it is parked. */
const asks =
  (commit: string, changes: readonly object[]): Part =>
  async (bench) => {
    const id = await started(bench, commit, changes);
    return (await parked(bench, id, 1)) && id;
  };

/** Its question is approved, and it is applied. */
const approved: Part = async (bench, id) => {
  await answered(bench, await bench.run(id), 'approve');
  return (await ends(bench, id, 'complete')) ? id : undefined;
};

/** A first release, asked and approved. */
const applied: readonly Part[] = [
  asks('one', chain),
  async (bench, id) => {
    if (!(await approved(bench, id))) return undefined;
    bench.clock.advance(1000);
    return id;
  },
];

/** The next one is asked about over what the first one applied. */
const nextAsks: readonly Part[] = [...applied, asks('two', next)];

/** What the second line is about is removed outside; the decision then covers the first line alone. */
const moved: Part = async (bench, id) => {
  bench.provider.remove('b');
  await answered(bench, await bench.run(id), 'approve');
  const again = await parked(bench, id, 2);
  if (!again) return undefined;
  expect(again.round).toBe(2);
  expect(bench.provider.names()).toEqual(['a=2']);
  return id;
};

sweepFaults('wherever one fault falls (I7, I11, I12)', {
  'asked, approved, guarded and applied once': [
    asks('one', chain),
    async (bench, id) => {
      expect(written(bench)).toEqual([]);
      if (!(await approved(bench, id))) return;
      expect(written(bench)).toEqual(['a', 'b']);
      expect((await bench.report(id)).decisions).toHaveLength(1);
    },
  ],

  'asked, rejected: nothing is written': [
    asks('one', chain),
    async (bench, id) => {
      await answered(bench, await bench.run(id), 'reject', false);
      await ends(bench, id, 'rejected');
      expect(written(bench)).toEqual([]);
    },
  ],

  'asked, and the state moved before the guard: planned again, asked again, approved again, applied once': [
    ...nextAsks,
    async (bench, id) => {
      const line = bench.memory.items().find((item) => item.sk === 'LEDGER#b') as { pk: string };
      await bench.memory.table.write({ pk: line.pk, sk: 'LEDGER#b' }, { set: { version: 'of another run', lastRun: 'another' } }, { is: 'always' });
      const before = written(bench).length;
      await answered(bench, await bench.run(id), 'approve');
      if (!(await parked(bench, id, 2))) return undefined;
      expect(written(bench).length).toBe(before);
      return id;
    },
    async (bench, id) => {
      const before = written(bench).length;
      await answered(bench, await bench.run(id), 'approve', false);
      if (!(await ends(bench, id, 'complete'))) return;
      expect(bench.provider.names()).toEqual(['a=2', 'b=3']);
      expect(written(bench).length).toBe(before + 2);
      expect((await bench.report(id)).stops).toMatchObject([{ step: 'guard', cause: 'state' }]);
    },
  ],

  'asked, a line found its effects moved after another was applied: planned again, asked again, approved again': [
    ...nextAsks,
    moved,
    async (bench, id) => {
      await answered(bench, await bench.run(id), 'approve', false);
      if (!(await ends(bench, id, 'complete'))) return;
      expect(bench.provider.names()).toEqual(['a=2', 'b=3']);
      expect((await bench.report(id)).stops).toHaveLength(1);
    },
  ],

  'asked again after a line was applied, and rejected: what was applied stays, with a receipt': [
    ...nextAsks,
    moved,
    async (bench, id) => {
      await answered(bench, await bench.run(id), 'reject', false);
      const { outcome } = await ended(bench, id);
      expect(outcome).toBe('rejected');
      expect(bench.provider.names()).toEqual(['a=2']);
      expect(await bench.report(id)).toMatchObject({ status: 'rejected', decisions: [{ verdict: 'reject' }], stops: [{ step: 'b', cause: 'drift' }] });
    },
  ],

  'asked, and superseded by a newer run, which is approved': [
    asks('one', chain),
    async (bench, older) => {
      bench.clock.advance(1000);
      const id = await started(bench, 'two', next);
      await bench.quiet();
      if ((await bench.run(id)).outcome === 'failed' && mayFail(bench)) return undefined; // planned in vain: the older question stays
      for (let times = 0; times < 3 && (await bench.run(older)).phase !== 'done'; times += 1) await bench.sweep();
      expect((await bench.run(older)).outcome).toBe('superseded');
      return (await parked(bench, id, 1)) && id;
    },
    async (bench, id) => {
      if (!(await approved(bench, id))) return;
      expect(written(bench)).toEqual(['a', 'b']);
    },
  ],

  'approved, waits for a deployment, and goes on under its decision': [
    asks('one', [
      { id: 'a', things: { a: '1' } },
      { id: 'b', things: { b: { from: 'a.url' } } },
    ]),
    async (bench, id) => {
      await answered(bench, await bench.run(id), 'approve');
      await rest(bench);
      if ((await bench.run(id)).outcome === 'failed' && mayFail(bench)) return undefined;
      expect(await bench.run(id)).toMatchObject({ phase: 'waiting', outcome: 'partial' });
      return id;
    },
    async (bench, id) => {
      await bench.deployed('one', 'success');
      await bench.quiet();
      for (let times = 0; times < 3 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
      const { outcome, question } = await bench.run(id);
      // An answer that was lost when the line asked for the deployment leaves it waiting, or fails it.
      if (outcome !== 'complete' && mayFail(bench)) return;
      await ends(bench, id, 'complete');
      expect(question?.q).toBe(1);
      expect(written(bench)).toEqual(['a', 'b']);
    },
  ],
});
