import { expect, test } from 'vitest';
import { pullHook } from './hooks.ts';
import { openSimulator, stepText } from './simulator.ts';

const chain = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

async function told(): Promise<{ trace: string[]; broken: string[]; names: string[] }> {
  const simulator = openSimulator();
  simulator.bench.pull(7, 'one', chain);
  await simulator.hook(pullHook('opened', 7, 'one'));
  await simulator.rest();
  return { trace: simulator.trace.map(stepText), broken: simulator.judge(), names: simulator.bench.provider.names() };
}

test('the same story is the same trace, byte for byte', async () => {
  const [one, other] = [await told(), await told()];
  expect(one.trace).toEqual(other.trace);
  expect(one.broken).toEqual([]);
  expect(one.names.map((name) => name.split('=')[0])).toEqual(['a', 'b']);
  expect(new Set(one.trace.map((step) => /\) (\w+)\./.exec(step)?.[1]))).toEqual(
    new Set(['table', 'queues', 'codeHost', 'objects', 'secrets', 'provider', 'bus']),
  );
});

test('a worker that dies in the middle leaves its message, and another one ends the work', async () => {
  const simulator = openSimulator();
  simulator.bench.pull(7, 'one', chain);
  await simulator.hook(pullHook('opened', 7, 'one'));
  await (await simulator.take()).run();
  const worker = await simulator.take();
  await worker.until('table.write LEASE');
  worker.die();
  await simulator.rest();
  expect(simulator.judge()).toEqual([]);
  expect(simulator.bench.provider.names().length).toBe(2);
});
