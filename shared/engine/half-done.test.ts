import { expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { exampleRegistry, things } from '../../test/ports/example-op.ts';
import { written } from '../../test/ports/memory-table.ts';
import { openWorkbench, scopeOf, type Workbench, type WorkbenchParts } from '../../test/ports/workbench.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { Again } from '../run/again.ts';
import type { LiveResource, Op } from './op.ts';

const line = (value: string) => [{ id: 'a', things: { x: value } }];
const entry = async (bench: Workbench) => (await readLedgerLine(bench.memory.table, scopeOf(7), 'a'))?.entries[0];
/** A death that the next delivery of the same message follows. */
const died = (what: string) => new Again(`died before it ${what}`, 1);

/** The example op with what it shows of its things changed. */
const showing = (seen: (resource: LiveResource) => LiveResource, more: Partial<typeof things> = {}): WorkbenchParts => {
  const op = {
    ...things,
    async read(...given: Parameters<typeof things.read>) {
      const reading = await things.read(...given);
      return { ...reading, resources: reading.resources.map(seen) };
    },
    async lookup(...given: Parameters<typeof things.lookup>) {
      const found = await things.lookup(...given);
      return found && seen(found);
    },
    ...more,
  };
  return { registry: { ...exampleRegistry, find: () => op as Op } };
};

const isRecord = written('SCOPE#', 'LEDGER#a');

/** A run of a commit whose worker dies once it has written at the provider and before it has recorded that; its messages are lost with it. */
async function diesBeforeTheRecord(bench: Workbench, commit: string, value: string): Promise<void> {
  bench.pull(7, commit, line(value));
  await bench.event('synchronize', 7, commit);
  const before = bench.provider.writes.length;
  const hasWritten = () => bench.provider.writes.length > before;
  bench.memory.faults.fail((call) => isRecord(call) && hasWritten(), died('recorded'));
  while (!hasWritten()) await bench.deliver(bench.queues.take() ?? (await Promise.reject(new Error('nothing was written'))));
  while (bench.queues.nextAt() !== undefined) if (!bench.queues.take()) bench.clock.set(bench.queues.nextAt() as number);
  bench.clock.advance(60_000);
}

/** The next run wants another value, and its worker dies once right before it sends that. */
async function goesOnWith(bench: Workbench, commit: string, value: string): Promise<void> {
  bench.provider.faults.fail(({ method }) => method === 'PUT' || method === 'PATCH', died('sent'));
  const run = await bench.release(7, commit, line(value));
  expect((await bench.report(run.id)).lines[0]?.problem).toBeUndefined();
  expect(run.outcome).toBe('complete');
}

test('a thing that was found to be ours stays ours when a worker dies on its way to change it (P4, I8)', async () => {
  const bench = openWorkbench(
    'embedded',
    showing(({ createdAt: _untold, ...rest }) => rest),
  );
  await diesBeforeTheRecord(bench, 'one', '1');
  await goesOnWith(bench, 'two', '2');
  expect([bench.provider.names(), await entry(bench)]).toEqual([['x=2'], expect.objectContaining({ createdBy: 'lockkeeper' })]);
  await bench.close(7, 'two');
  expect(bench.provider.names()).toEqual([]);
  await bench.sweep(); // finds the run that died
  await bench.sweep();
  expect(disagreements(bench)).toEqual([]);
});

test('an update whose record was lost is no drift for the run that writes the next value, wherever that one’s worker dies (P4, R0.4)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', line('1'));
  await diesBeforeTheRecord(bench, 'two', '2');
  await goesOnWith(bench, 'three', '3');
  expect(bench.provider.names()).toEqual(['x=3']);
});

test('an edit by hand between two such deaths is drift all the same (R0.4)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', line('1'));
  await diesBeforeTheRecord(bench, 'two', '2');
  bench.provider.edit('x', 'by hand');
  const run = await bench.release(7, 'three', line('3'));
  expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('DRIFT_CHANGED');
  expect(bench.provider.names()).toEqual(['x=by hand']);
});

test('a thing is ours by its time of creation, also where the worker’s clock is ahead of the provider’s by all that a clock may be off (P1, P4, I8)', async () => {
  const skew = 30_000;
  const behind = showing((resource) => ({ ...resource, createdAt: (resource.createdAt as number) - skew }), {
    diff: (...given) => things.diff(...given).map(({ hash: _untold, ...change }) => change),
  });
  const bench = openWorkbench('embedded', { ...behind, timing: { skew, leaseTtl: 900_000 } });
  bench.pull(7, 'one', line('1'));
  const id = await bench.event('opened', 7, 'one');
  bench.memory.faults.fail((call) => isRecord(call) && bench.provider.writes.length > 0, died('recorded'));
  await bench.quiet();
  for (let times = 0; times < 4 && (await bench.run(id)).phase !== 'done'; times += 1) await bench.sweep();
  expect((await bench.run(id)).outcome).toBe('complete');
  expect((await entry(bench))?.createdBy).toBe('lockkeeper');
  await bench.close(7, 'one');
  expect(bench.provider.names()).toEqual([]);
});
