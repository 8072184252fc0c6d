import { describe, expect, test } from 'vitest';
import { commitOf, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

const lines = [{ id: 'a', things: { a: '1' } }];
const checkOf = (bench: Workbench, commit: string) =>
  [...bench.code.checks.values()].filter((check) => check.commit === commitOf(commit) && check.name === 'lockkeeper / preview');

/** A run that wrote something and whose messages are all lost from then on, with its lease run out. */
async function deadRun(bench: Workbench): Promise<string> {
  bench.pull(7, 'one', lines);
  const dead = await bench.event('opened', 7, 'one');
  while (bench.provider.writes.length === 0) await bench.deliver(bench.queues.take() as NonNullable<ReturnType<typeof bench.queues.take>>);
  while (bench.queues.nextAt() !== undefined) bench.queues.take() ?? bench.clock.set(bench.queues.nextAt() as number);
  bench.clock.advance(18_001);
  return dead;
}

describe('the check run of a run that lost its lease', () => {
  test('is ended as a failure, and comment and check of the new holder stay as they are', async () => {
    const bench = openWorkbench();
    const dead = await deadRun(bench);
    expect(checkOf(bench, 'one')).toMatchObject([{ status: 'in_progress', externalId: dead }]);
    await bench.release(7, 'two', lines);
    const comments = [...bench.code.comments];
    await bench.sweep();
    await bench.sweep();
    expect(await bench.run(dead)).toMatchObject({ outcome: 'fenced-out' });
    expect(checkOf(bench, 'one')).toMatchObject([{ status: 'completed', conclusion: 'failure', externalId: dead }]);
    expect(checkOf(bench, 'two')).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
    expect([...bench.code.comments]).toEqual(comments);
  });

  test('is left to the new holder when that is at work on the same commit', async () => {
    const bench = openWorkbench();
    const dead = await deadRun(bench);
    const next = await bench.event('synchronize', 7, 'one');
    await bench.quiet();
    await bench.sweep();
    await bench.sweep();
    expect(await bench.run(dead)).toMatchObject({ outcome: 'fenced-out' });
    expect(checkOf(bench, 'one')).toMatchObject([{ status: 'completed', conclusion: 'success', externalId: next }]);
  });
});
