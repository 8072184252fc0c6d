import { expect } from 'vitest';
import { mayFail, sweepFaults } from '../../test/ports/fault-sweep.ts';
import { commitOf, type Workbench } from '../../test/ports/workbench.ts';
import { decide } from '../approvals/decision.ts';
import type { Run } from '../run/items.ts';
import { effectOn, onMain, released, type ShownBox, showRow, tickAs, ticks } from './on-a-dashboard.fixture.ts';

const plan = [{ id: 'a', things: { x: '1' } }];
const policyOf = () => ({ events: { push: ['production'] }, environments: { production: { approvers: [{ github: 'kim' }, { github: 'robin' }] } } });
let box: ShownBox;
let id: string;
/** Released, and the next commit is asked about: the row shows it. It is told of no end, so that whoever judges the tick anew would start a run. */
async function first(bench: Workbench): Promise<void> {
  onMain(bench, 'one', plan, policyOf());
  for (const login of ['kim', 'robin', 'alex']) bench.code.people.set(login, 'write');
  await released(bench, 'one', 'production');
  const [f] = bench.memory.items().filter(({ sk, phase }) => sk === 'META' && phase === 'awaiting');
  const run = await bench.run(String(f?.['id']));
  const { q, digest } = run.question as NonNullable<Run['question']>;
  await decide(
    { table: bench.memory.table, ids: bench.world().ids },
    { q, digest, run: run.id },
    { verdict: 'approve', person: { name: 'kim', through: 'github' }, at: new Date(bench.clock.now()).toISOString() },
  );
  await bench.sweep();
  bench.clock.advance(60_000);
  onMain(bench, 'two', [{ id: 'a', things: { x: '2' } }], policyOf());
  for (const login of ['kim', 'robin', 'alex']) bench.code.people.set(login, 'write');
  id = await bench.command({ intent: 'follow', commit: 'two', environment: 'production', scope: 'main', branch: 'main' });
  await bench.quiet();
  const boxes = await showRow(bench, { pending: [{ id: 'a', effects: [effectOn('x', '2', '1')] }] }, 'production');
  const key = { pk: 'DASH#7101', sk: 'ROW#main#production' };
  const open = { run: id, kind: 'apply', commit: commitOf('two'), startedAt: (await bench.run(id)).startedAt, rests: 'asking' };
  await bench.memory.table.write(key, { set: { open } }, { is: 'always' });
  box = boxes.apply;
}
/** The tick is an answer and nothing else: its person is told nothing, and nobody starts a run for it. */
async function answered(bench: Workbench): Promise<void> {
  const sk = await ticks(bench, box);
  await bench.quiet();
  for (let t = 0; t < 6 && ((await bench.run(id)).phase !== 'done' || ['asked', 'working'].includes((await tickAs(bench, sk)).state)); t += 1)
    await bench.sweep();
  const tick = await tickAs(bench, sk);
  const run = await bench.run(id);
  expect(run.phase).toBe('done');
  expect(bench.memory.items().filter(({ sk: key, options }) => key === 'META' && (options as { ticked?: object } | undefined)?.ticked)).toEqual([]);
  if (mayFail(bench) && run.outcome !== 'complete') return;
  expect(run.outcome).toBe('complete');
  expect(bench.provider.names()).toEqual(['x=2']);
  expect(`${tick.state} ${tick.say}`).toBe('done undefined');
}
sweepFaults('answered once, wherever one fault falls (I7, I10, I11)', { 'a tick of what a run asks about': answered }, { first, stack: 'deployed' });
