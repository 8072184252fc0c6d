import { expect } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { deliverUntil } from '../../test/ports/deliver-until.ts';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { Died } from '../../test/ports/mortal.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import { AnswerLost } from '../ports/table.ts';
import { cancelRun } from './cancel.ts';

/** The second line is at it for a while: its provider says several times that it is not there yet. */
const changes = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' }, busy: 6, depends_on: ['a'] },
  { id: 'c', things: { c: '1' }, depends_on: ['b'] },
];

/** A person cancels; whose command dies or hears nothing types it again. */
async function cancelled(bench: Workbench, id: string): Promise<void> {
  const run = await bench.run(id);
  const cancel = () => cancelRun(bench.world(), run, { name: 'kim' });
  await cancel().catch((error: unknown) => {
    if (!(error instanceof Died || error instanceof AnswerLost || mayBeStore(error))) throw error;
    return cancel();
  });
}

const mayBeStore = (error: unknown): boolean => (error as { problem?: { code?: string } }).problem?.code === 'STORE_UNREACHABLE';

/** Delivers until the second line has been sent to its provider and is asked about again. */
async function untilMaking(bench: Workbench): Promise<void> {
  const isMade = () => bench.provider.writes.some(({ method, name }) => method === 'POST' && name === 'b');
  for (let times = 0; times < 4 && !isMade(); times += 1) {
    await deliverUntil(bench, isMade);
    if (!isMade()) await bench.sweep();
  }
}

/** What is wrong at rest, but for what a silent provider did not say of the line that was being made: the next run of the scope asks again (P4). */
const wrong = (bench: Workbench): string[] => disagreements(bench).filter((one) => !(mayFail(bench) && /thing:b$|^b is at the provider/.test(one)));

sweepFaults('wherever one fault falls (P1, I2, I8, I9, I11)', {
  'a run that is long at it is cancelled: what was begun is finished, nothing more is, it says so, and a removal finds all of it': [
    async (bench) => {
      bench.pull(7, 'one', changes);
      const id = await bench.event('opened', 7, 'one');
      await untilMaking(bench);
      if ((await bench.run(id)).outcome === 'failed' && mayFail(bench)) return undefined;
      expect(await bench.run(id)).toMatchObject({ phase: 'applying' });
      return id;
    },
    async (bench, id) => {
      await cancelled(bench, id);
      await bench.quiet();
      for (let times = 0; times < 4 && ((await bench.run(id)).phase !== 'done' || wrong(bench).length > 0); times += 1) await bench.sweep();
      const { outcome } = await bench.run(id);
      if (outcome === 'failed' && mayFail(bench)) return undefined;
      expect(outcome).toBe('cancelled');
      expect(wrong(bench)).toEqual([]);
      expect(bench.provider.names()).toEqual(['a=1', 'b=1']);
      expect(bench.provider.writes.map(({ method, name }) => `${method} ${name}`)).toEqual(['POST a', 'POST b']);
      // A death after what it made was recorded leaves the next attempt nothing to do.
      expect(await bench.statuses(id)).toMatchObject({ a: expect.stringMatching(/^(applied|unchanged)$/), c: 'skipped' });
      expect((await bench.report(id)).status).toBe('cancelled');
      return id;
    },
    async (bench) => {
      const closed = await bench.close(7, 'one');
      for (let times = 0; times < 4 && (await bench.run(closed.id)).outcome !== 'complete'; times += 1) await bench.sweep(60);
      await rest(bench);
      expect((await bench.run(closed.id)).outcome).toBe('complete');
      expect([bench.provider.names(), disagreements(bench)]).toEqual([[], []]);
    },
  ],
});
