import { expect } from 'vitest';
import { things } from '../../test/ports/example-op.ts';
import { mayFail, rest, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { mona, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { step } from '../adapters/manual/step.ts';
import { createRegistry } from '../adapters/registry.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import type { Op } from './op.ts';

const lines = [
  { id: 'invite', adapter: 'manual', op: 'step', title: 'Invite the bot', instructions: 'Press Invite.', undo: 'Remove the bot.' },
  { id: 'a', things: { x: '1' }, depends_on: ['invite'] },
];

/** The comment that confirms the step, as a webhook records it. */
async function confirm(bench: Workbench): Promise<void> {
  bench.clock.advance(1000);
  await bench.happens({
    format: 3,
    event: 'issue_comment',
    action: 'created',
    ...mona,
    comment: { pullRequest: 7, said: { verb: 'confirm', line: 'invite' } },
  });
  await rest(bench);
}

sweepFaults(
  'wherever one fault falls, nobody’s word is lost and nothing waits for ever (R1.55, R1.71, P5)',
  {
    'a step is confirmed, then undone': [
      async (bench) => {
        bench.code.people.set('mona', 'write');
        bench.pull(7, 'one', lines);
        const id = await bench.event('opened', 7, 'one');
        await rest(bench);
        expect((await bench.run(id)).outcome).toBe('partial');
        return id;
      },
      async (bench, id) => {
        await confirm(bench);
        const { outcome } = await bench.run(id);
        if (outcome === 'failed' && mayFail(bench)) return undefined;
        expect(outcome).toBe('complete');
        expect((await readLedgerLine(bench.memory.table, scopeOf(7), 'invite'))?.entries).toMatchObject([{ manual: { by: 'mona' } }]);
        return id;
      },
      async (bench) => {
        const pull = bench.code.pulls.get(7);
        if (pull) bench.code.pulls.set(7, { ...pull, open: false });
        const closed = await bench.event('closed', 7, 'one');
        await rest(bench);
        for (let times = 0; mayFail(bench) && times < 2 && (await bench.run(closed)).outcome === 'failed'; times += 1) await bench.sweep(60);
        expect((await bench.run(closed)).outcome).toBe('partial');
        return closed;
      },
      async (bench, closed) => {
        await confirm(bench);
        expect((await bench.run(closed)).outcome).toBe('complete');
        expect(bench.provider.names()).toEqual([]);
      },
    ],
  },
  { registry: createRegistry([things as Op, step as Op]) },
);
