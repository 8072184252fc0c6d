import { describe, expect, test } from 'vitest';
import { askedRun, knowPeople, principalOf, throughAws, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { readDecisions } from '../approvals/decision.ts';
import { type Question, readQuestion } from '../approvals/question.ts';
import { cancelRun } from '../run/cancel.ts';
import type { Run } from '../run/items.ts';
import { retryRun } from '../run/retry.ts';
import { withdrawAnswer } from '../run/withdraw-answer.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

/** A run for production that asks on the pull request it was merged from; ada may decide and not push, lou may push and not decide. */
async function asked(required = 1): Promise<{ bench: Workbench; run: Run }> {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada', 'bob'], ['ada', 'bob'], required);
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
  written?: { login: string; body: string; at?: string },
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

  test.each(['approve', 'reject'] as const)('counts although somebody rejected in its author’s name under a principal of nobody’s (%s)', async (verdict) => {
    const { bench, run } = await asked();
    // Whoever may write decisions, and wakes nobody.
    await writeAnswer(bench, run, 'reject', throughAws('ada', principalOf('mallory')));
    await comment(bench, 'ada', verdict, digestOf(run));
    expect(await bench.run(run.id)).toMatchObject({ outcome: verdict === 'approve' ? 'complete' : 'rejected' });
    expect(answers(bench)).toEqual([]);
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

describe('a comment that was written before a question was asked', () => {
  /** The same plan asked about anew, after its run was cancelled. */
  async function askedAgain() {
    const { bench, run } = await asked();
    const before = bench.clock.now();
    await cancelRun(bench.world(), run, { name: 'kim' });
    await bench.quiet();
    bench.clock.advance(5 * 3_600_000);
    const again = await retryRun(bench.world(), await bench.run(run.id));
    await bench.quiet();
    const second = await bench.run(again);
    expect(second).toMatchObject({ phase: 'awaiting', question: { digest: run.question?.digest } });
    return { bench, run: second, before };
  }
  const at = (moment: number) => new Date(moment).toISOString();
  const body = (run: Run) => `/lockkeeper approve ${digestOf(run)}`;

  test('answers none that was asked later about the same plan, however late it is told of, and its author hears so (I7, P7)', async () => {
    const { bench, run, before } = await askedAgain();
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(before) });
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    expect(bench.provider.writes).toEqual([]);
    expect(answers(bench)).toEqual([expect.stringMatching(/QUESTION_UNKNOWN.*written before that.*again/s)]);
    await comment(bench, 'ada', 'approve', digestOf(run));
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete' });
  });

  test('is taken for such a one while the clocks may differ by more than lies between (I7, P7)', async () => {
    const { bench, run } = await askedAgain();
    const { skew } = bench.world().timing;
    const { askedAt } = (await readQuestion(bench.memory.table, run.question?.digest ?? '', run.id, 1)) as Question;
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(Date.parse(askedAt) + skew - 1) });
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(Date.parse(askedAt) + skew) });
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete' });
  });

  test('approves nothing that its author has taken back since, however late it is told of (I7)', async () => {
    const { bench, run } = await asked(2);
    const before = bench.clock.now();
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(before + 2000) });
    bench.clock.advance(60_000);
    await withdrawAnswer(bench.world(), run.repository.id, digestOf(run), { name: 'ada', through: 'github' });
    await bench.quiet();
    bench.clock.advance(60_000);
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(before + 3000) });
    const decisions = await readDecisions(bench.memory.table, { digest: run.question?.digest ?? '', run: run.id, q: 1 });
    expect(decisions).toEqual([]);
  });

  test('answers the first question about a plan neither; in the second it was asked in, it does', async () => {
    const { bench, run } = await asked();
    const { askedAt } = (await readQuestion(bench.memory.table, run.question?.digest ?? '', run.id, 1)) as Question;
    const second = Math.floor(Date.parse(askedAt) / 1000) * 1000;
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(second - 1000) });
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    await comment(bench, 'ada', 'approve', digestOf(run), { login: 'ada', body: body(run), at: at(second) });
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete' });
  });
});
