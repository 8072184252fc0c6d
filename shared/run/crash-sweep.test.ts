import { expect } from 'vitest';
import { abandonedClaims, disagreements } from '../../test/ports/agreement.ts';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';

const namesThere = (bench: Workbench) => bench.provider.names().map((name) => name.slice(0, name.indexOf('=')));

type Action = 'opened' | 'synchronize' | 'closed';

/** One event and its run at rest. Failed where the fault may fail it: run again, as a person would. */
async function outcomeOf(bench: Workbench, action: Action, commit: string): Promise<string | undefined> {
  const id = await bench.event(action, 7, commit);
  await rest(bench);
  const { outcome } = await bench.run(id);
  if (outcome !== 'failed' || !mayFail(bench)) return outcome;
  const again = await bench.event(action, 7, commit);
  await rest(bench);
  return (await bench.run(again)).outcome;
}

async function closeAndRemove(bench: Workbench, commit: string): Promise<void> {
  const pull = bench.code.pulls.get(7);
  if (pull) bench.code.pulls.set(7, { ...pull, open: false });
  const id = await bench.event('closed', 7, commit);
  await rest(bench);
  // A delete that failed is tried again by the schedule.
  for (let times = 0; mayFail(bench) && times < 2 && (await bench.run(id)).outcome === 'failed'; times += 1) await bench.sweep(60);
  expect((await bench.run(id)).outcome).toBe('complete');
  expect(disagreements(bench)).toEqual([]);
  expect(namesThere(bench)).toEqual([]);
  // A death between the entry's removal and the claim's leaves that one claim, free for whoever comes next (P4).
  expect(abandonedClaims(bench).length).toBeLessThanOrEqual(bench.fates.met() === undefined ? 0 : 1);
}

const chained = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
  { id: 'c', things: { c: { from: 'b.token' } } },
];

const waiting = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.url' } } },
];

sweepFaults('wherever one fault falls (I2, I6, I9, I11)', {
  'three chained lines are applied, applied again without a write, and removed (I3, I8)': [
    async (bench) => {
      bench.pull(7, 'one', chained);
      expect(await outcomeOf(bench, 'opened', 'one')).toBe('complete');
      expect(namesThere(bench)).toEqual(['a', 'b', 'c']);
      return 'applied';
    },
    async (bench) => {
      const before = bench.provider.writes.length;
      expect(await outcomeOf(bench, 'synchronize', 'one')).toBe('complete');
      expect(bench.provider.writes.length).toBe(before);
      return 'again';
    },
    (bench) => closeAndRemove(bench, 'one'),
  ],

  'a line that fails takes back what its run made, and names the update it leaves (I2)': [
    async (bench) => {
      bench.pull(7, 'one', [{ id: 'kept', things: { kept: '1' } }]);
      expect(await outcomeOf(bench, 'opened', 'one')).toBe('complete');
      return 'applied';
    },
    async (bench) => {
      const refused = new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' });
      bench.provider.faults.clear();
      bench.provider.faults.fail(({ method, name }) => method === 'POST' && name === 'never', refused, 99);
      bench.pull(7, 'two', [
        { id: 'kept', things: { kept: '2' } },
        { id: 'made', things: { made: { from: 'kept.id' } } },
        { id: 'never', things: { never: { from: 'made.id' } } },
      ]);
      const id = await bench.event('synchronize', 7, 'two');
      await rest(bench);
      expect((await bench.run(id)).outcome).toBe('failed');
      const stuck = Object.values(await bench.statuses(id)).includes('rollback_failed');
      expect(stuck && !mayFail(bench)).toBe(false);
      if (!stuck) expect(namesThere(bench)).toEqual(['kept']);
      const updated = bench.provider.find('kept')?.value === '2';
      if (updated && !mayFail(bench)) expect((await bench.report(id)).notUndone).toEqual(['thing kept']);
      return id;
    },
    (bench) => closeAndRemove(bench, 'two'),
  ],

  'a line that waits for a deployment goes on when it comes (P5)': [
    async (bench) => {
      bench.pull(7, 'one', waiting);
      const id = await bench.event('opened', 7, 'one');
      await rest(bench);
      if (mayFail(bench) && (await bench.run(id)).outcome === 'failed') return undefined;
      expect(await bench.run(id)).toMatchObject({ phase: 'waiting', outcome: 'partial' });
      return id;
    },
    async (bench, id) => {
      await bench.deployed('one', 'success');
      await rest(bench);
      // An answer that was lost when the line asked for the deployment is asked for again, by the schedule.
      for (let times = 0; times < 3 && (await bench.run(id)).phase === 'waiting'; times += 1) await bench.sweep(61);
      const { outcome } = await bench.run(id);
      if (outcome === 'failed' && mayFail(bench)) return undefined;
      expect(outcome).toBe('complete');
      expect(bench.provider.names()).toEqual(['a=1', `b=${bench.provider.find('b')?.value}`]);
      return id;
    },
    (bench) => closeAndRemove(bench, 'one'),
  ],
});
