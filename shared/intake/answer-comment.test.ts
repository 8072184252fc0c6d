import { describe, expect, test } from 'vitest';
import { askedRun, knowPeople } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

/** A run for production that asks on the pull request it was merged from; ada may decide and not push, lou may push and not decide. */
async function asked(): Promise<{ bench: Workbench; run: Run }> {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada'], ['ada']);
  bench.code.people.set('ada', 'read').set('lou', 'write');
  const run = await askedRun(bench, changes);
  bench.code.merged.set(run.commit, 7);
  return { bench, run };
}

let comments = 0;

/** Somebody writes a comment, and the host tells of it; `written`: what the host says of it afterwards. */
async function comment(
  bench: Workbench,
  login: string,
  verdict: 'approve' | 'reject',
  digest: string,
  written?: { login: string; body: string },
): Promise<void> {
  const id = ++comments;
  bench.code.written.set(id, written ?? { login, body: `/lockkeeper ${verdict} ${digest}\nwhatever` });
  const sender = { login, type: 'User' };
  await bench.happens({
    format: 4,
    event: 'issue_comment',
    action: 'created',
    repository,
    sender,
    comment: { pullRequest: 7, id, answered: { verdict, digest } },
  });
  await bench.quiet();
}

const digestOf = (run: Run) => run.question?.digest.slice(0, 12) as string;
const answers = (bench: Workbench) => [...bench.code.comments].filter(([key]) => key.includes('answer to')).map(([, body]) => body);

describe('a comment that answers a question', () => {
  test('of somebody who may decide counts, whether they may push or not', async () => {
    const { bench, run } = await asked();
    await comment(bench, 'ada', 'approve', digestOf(run));
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', honoured: { decisions: [{ person: { name: 'ada', through: 'github' } }] } });
    expect(answers(bench)).toEqual([]);
  });

  test.each([
    ['somebody else wrote', { login: 'eve', body: '/lockkeeper approve $' }],
    ['says something else by now', { login: 'ada', body: 'never mind' }],
    ['rejects by now', { login: 'ada', body: '/lockkeeper reject $' }],
  ])('that %s answers nothing: the host tells who wrote what', async (_, { login, body }) => {
    const { bench, run } = await asked();
    await comment(bench, 'ada', 'approve', digestOf(run), { login, body: body.replace('$', digestOf(run)) });
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    expect(bench.memory.items().filter(({ sk }) => String(sk).startsWith('DECISION#'))).toEqual([]);
  });

  test('of somebody who may push and not decide is recorded, does not count, and is told so', async () => {
    const { bench, run } = await asked();
    await comment(bench, 'lou', 'approve', digestOf(run));
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    expect(answers(bench)).toEqual([expect.stringMatching(/lou’s `approve .*NOT_AN_APPROVER/s)]);
  });

  test('of a stranger is neither recorded nor answered', async () => {
    const { bench, run } = await asked();
    await comment(bench, 'eve', 'approve', digestOf(run));
    await comment(bench, 'eve', 'approve', 'abc');
    expect(answers(bench)).toEqual([]);
    expect(bench.memory.items().filter(({ sk }) => String(sk).startsWith('DECISION#'))).toEqual([]);
  });

  test('written again after the run went on is no news', async () => {
    const { bench, run } = await asked();
    await comment(bench, 'ada', 'approve', digestOf(run));
    await comment(bench, 'ada', 'approve', digestOf(run));
    expect(answers(bench)).toEqual([]);
    expect(bench.provider.writes).toHaveLength(1);
  });

  test('can reject, and the run ends', async () => {
    const { bench, run } = await asked();
    await comment(bench, 'ada', 'reject', digestOf(run));
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'rejected' });
    await comment(bench, 'ada', 'approve', digestOf(run));
    expect(answers(bench)).toEqual([]);
    expect(bench.provider.writes).toEqual([]);
  });
});
