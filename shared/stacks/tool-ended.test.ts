import { expect, test } from 'vitest';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { stackKeys } from '../../test/ports/stack-keys.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { tokenVariable } from './job-environment.ts';
import { tokenOf } from './tool-token.ts';

const nonce = () => stackKeys.sealing.nonce();
const ended = (token: string): Queued => ({
  queue: 'control',
  at: 0,
  message: { format: 7, look: 'tool-job', variables: [{ name: tokenVariable, value: token, type: 'PLAINTEXT' }], group: 'tool-job' },
});

/** A run whose two lines are queued for a phase, and taken by nobody yet. */
async function applying() {
  const bench = openWorkbench();
  bench.pull(1, 'one', [
    { id: 'first', things: { first: '1' } },
    { id: 'second', things: { second: '1' }, depends_on: ['first'] },
  ]);
  const run = await bench.event('opened', 1, 'one');
  for (let taken = bench.queues.take('control'); taken; taken = bench.queues.take('control')) await bench.deliver(taken);
  return { bench, run, lines: () => bench.queues.sent.flatMap((one) => (one.queue === 'lines' ? [one.message] : [])) };
}

test('the end of a tool job queues its line at once, for the work that is due now', async () => {
  const { bench, run, lines } = await applying();
  const before = lines().length;
  const { round, phase } = await bench.run(run);
  await bench.deliver(ended(tokenOf(run, 1, nonce)));
  expect(lines().slice(before)).toEqual([{ format: 1, run, round, phase, line: 'second', group: '7101' }]);
});

test('an end that names no run, no line of it, or a run that is over wakes nobody', async () => {
  const { bench, run, lines } = await applying();
  const before = lines().length;
  for (const token of ['', 'no token', tokenOf('01UNKNOWN', 0, nonce), tokenOf(run, 7, nonce)]) await bench.deliver(ended(token));
  expect(lines().length).toBe(before);
  await bench.quiet();
  const after = lines().length;
  await bench.deliver(ended(tokenOf(run, 0, nonce)));
  expect(lines().length).toBe(after);
});
