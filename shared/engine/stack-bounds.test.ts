/** What a tool answers has no bounds of its own; the items in which it is written down have. */
import { expect, test } from 'vitest';
import { toolFailed } from '../../test/ports/fake-stacks.ts';
import { openStackBench, type StackBench, stackLine } from '../../test/ports/stack-bench.ts';
import { scopeOf } from '../../test/ports/workbench.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { leftOf } from '../stacks/left-job.ts';
import type { ToolOutcome, ToolWork } from '../stacks/tool-work.ts';

/** DynamoDB's own bound of an item. */
const largestItem = 400 * 1024;

const state = { lineage: 'one', serial: 3 };

const thingsOf = (count: number) => Array.from({ length: count }, (_, at) => `module.network.thing.of_which_there_are_many[${at}]`);

const changesOf = (addresses: readonly string[]) => addresses.map((address) => ({ address, type: 'thing', actions: ['create' as const], paths: [] }));

const applied = (addresses: readonly string[], changed = addresses): object => ({
  did: 'applied',
  changes: changesOf(changed),
  differs: [],
  outputs: {},
  resources: addresses,
  state,
});

/** Of a stack in which there is nothing yet. */
const planOf = (addresses: readonly string[]) => ({ changes: changesOf(addresses), drift: [], outputs: {}, version: '1.11.4' });

/** A bench whose tool answers so, and a run of it. */
async function answered(self: StackBench, commit: string, ...answers: readonly object[]) {
  const left = [...answers];
  self.instead = (work: ToolWork): ToolOutcome | undefined => {
    const next = work.do === 'plan' ? undefined : left.shift();
    return next && ({ format: 1, words: '', ...next } as ToolOutcome);
  };
  return self.bench.release(7, commit, [stackLine('net', { a: '1' })]);
}

const largestOf = ({ bench }: StackBench): number => Math.max(...bench.memory.items().map((item) => Buffer.byteLength(JSON.stringify(item))));

const ledgerOf = ({ bench }: StackBench) => readLedgerLine(bench.memory.table, scopeOf(7), 'net');

test('an apply of more things than an item has room for is applied all the same, and says that not all are listed (I11)', async () => {
  const self = openStackBench();
  const run = await answered(self, 'one', applied(thingsOf(10_000)));
  expect(await self.bench.statuses(run.id)).toEqual({ net: 'applied' });
  expect(largestOf(self)).toBeLessThan(largestItem);
  const [line] = (await self.bench.report(run.id)).lines;
  const told = line?.changes.length ?? 0;
  expect(told).toBeGreaterThan(1000);
  expect(line?.notes).toMatchObject({ 'not listed': `${10_000 - told} more changes` });
});

test('what an apply made that broke off is ours, however much it was: the stack is taken down with its scope (I3)', async () => {
  const self = openStackBench();
  const all = thingsOf(300);
  await answered(self, 'one', toolFailed('apply-failed', { done: all.slice(0, 250), notDone: all.slice(250), state, planned: planOf(all) }));
  expect(largestOf(self)).toBeLessThan(largestItem);
  await answered(self, 'two', applied(all, all.slice(250)));
  expect((await ledgerOf(self))?.entries[0]).toMatchObject({ createdBy: 'lockkeeper' });
});

test('addresses as long as documents keep no job from being recorded, be it by its own run or by whoever takes its lease (P9)', async () => {
  const self = openStackBench();
  const long = Array.from({ length: 200 }, (_, at) => `thing.a["${'x'.repeat(4000)}${at}"]`);
  const failure = { format: 1, words: '', ...toolFailed('apply-failed', { done: long, notDone: long, state }) } as const;
  const run = await answered(self, 'one', failure);
  expect(await self.bench.statuses(run.id)).toEqual({ net: 'failed' });
  expect(largestOf(self)).toBeLessThan(largestItem);
  const record = { token: 't', purpose: 'apply', run: 'r', round: 1, phase: 'applying', started: 0, deadline: 1 } as const;
  expect(JSON.stringify(leftOf(record, { outcome: failure }, 2)).length).toBeLessThan(largestItem / 4);
});

test('a secret that is part of an address is nowhere in the ledger, and what it names is ours all the same (I1)', async () => {
  const self = openStackBench();
  self.bench.secrets.set('K', 'CANARY-address');
  const address = 'thing.a["CANARY-address"]';
  const lines = [stackLine('net', { a: { secret: 'env://K' } })];
  const answers = [toolFailed('apply-failed', { done: [address], notDone: [], state, planned: planOf([address]) }), applied([address], [])];
  self.instead = () => ({ format: 1, words: '', ...answers.shift() }) as ToolOutcome;
  await self.bench.release(7, 'one', lines);
  expect((await ledgerOf(self))?.entries[0]?.stack?.made).toEqual(['thing.a["[REDACTED]"]']);
  await self.bench.release(7, 'two', lines);
  expect((await ledgerOf(self))?.entries[0]).toMatchObject({ createdBy: 'lockkeeper' });
  expect(JSON.stringify(self.bench.memory.items())).not.toContain('CANARY');
});

test('an output that no item has room for fails its line, after what was applied is recorded (I11)', async () => {
  const self = openStackBench();
  self.instead = () =>
    ({ format: 1, words: '', ...applied(['thing.a']), outputs: { a: { value: 'x'.repeat(500_000), sensitive: false } } }) as unknown as ToolOutcome;
  const run = await self.bench.release(7, 'one', [stackLine('net', { a: '1' }, { outputs: ['a'] })]);
  expect((await self.bench.report(run.id)).lines).toMatchObject([{ id: 'net', status: 'failed', problem: { code: 'PARAM_INVALID' } }]);
  expect((await ledgerOf(self))?.entries[0]?.stack).toMatchObject({ state });
  expect(largestOf(self)).toBeLessThan(largestItem);
});
