import { describe, expect, test } from 'vitest';
import { pruneIn, saidIn } from '../../events/comment-in.ts';
import type { IntakeOf } from '../../events/intake.ts';
import { mona, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

/** A pull request whose run failed, because the provider refused its one write. */
async function failed(): Promise<Workbench> {
  const bench = openWorkbench();
  bench.code.people.set('mona', 'write').set('eve', 'write');
  bench.provider.faults.fail((call) => call.method === 'POST', new Error('refused'), 40);
  expect((await bench.release(7, 'one', [{ id: 'a', things: { x: '1' } }])).outcome).toBe('failed');
  bench.provider.faults.clear();
  return bench;
}

const runsIn = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];

/** What the webhook told of a comment, and what the host has under that number. */
async function told(bench: Workbench, what: Partial<IntakeOf<'issue_comment'>['comment']>, written?: { login: string; body: string }): Promise<void> {
  if (written) bench.code.written.set(3, written);
  const format = Object.keys(what).length === 0 ? 2 : 3;
  await bench.happens({ format, event: 'issue_comment', action: 'created', ...mona, comment: { pullRequest: 7, id: 3, ...what } });
  await bench.quiet();
}

describe.each([
  ['/lockkeeper retry', {}],
  ['/lockkeeper prune', { prune: pruneIn('/lockkeeper prune') ?? {} }],
  ['/lockkeeper reconcile a', { said: saidIn('/lockkeeper reconcile a') as NonNullable<ReturnType<typeof saidIn>> }],
] as const)('%s (P6)', (body, what) => {
  test('starts a run where its author wrote it', async () => {
    const bench = await failed();
    await told(bench, what, { login: 'mona', body: `${body}\nand more` });
    expect(runsIn(bench)).toHaveLength(2);
  });

  test.each([
    ['somebody else wrote', { login: 'eve', body }],
    ['says something else by now', { login: 'mona', body: 'never mind' }],
    ['asks for something else by now', { login: 'mona', body: '/lockkeeper prune other' }],
    ['is gone', undefined],
  ])('starts nothing where the comment is one that %s: the host tells who wrote what', async (_, written) => {
    const bench = await failed();
    await told(bench, what, written);
    expect(runsIn(bench)).toHaveLength(1);
    expect([...bench.code.comments.keys()].filter((key) => key.includes('answer to'))).toEqual([]);
  });
});

test('a comment that a version before recorded, without its number, is listened to as it was', async () => {
  const bench = await failed();
  await bench.happens({ format: 2, event: 'issue_comment', action: 'created', ...mona, comment: { pullRequest: 7 } });
  await bench.quiet();
  expect(runsIn(bench)).toHaveLength(2);
});
