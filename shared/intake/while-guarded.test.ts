import { expect, test } from 'vitest';
import { deliverUntil } from '../../test/ports/deliver-until.ts';
import { askInSlack, press } from '../../test/ports/in-slack.ts';
import { askedRun } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { questionTag } from '../approvals/question.ts';
import { grantLease } from '../lease/lease.ts';
import { answerQuestion } from '../run/answer-question.ts';
import type { Run } from '../run/items.ts';
import { findQuestion, openQuestions } from '../run/questions.ts';
import { releaseAndWake } from '../run/release.ts';
import { runScope } from '../run/run-scope.ts';

/** A run that robin has approved and whose guard waits for the lease: another run holds it. */
async function guarded(): Promise<{ bench: Workbench; run: Run; goOn: () => Promise<Run> }> {
  const bench = openWorkbench('deployed');
  askInSlack(bench);
  const run = await askedRun(bench, [{ id: 'a', things: { x: '1' } }], 'one', { options: { busy: 'wait' } });
  bench.code.merged.set(run.commit, 7);
  await grantLease(bench.world({ leaseTtl: 900_000 }), runScope(run), 'another');
  await answerQuestion(bench.world(), run, digestAndQ(run), { verdict: 'approve', person: { name: 'robin', through: 'github' } });
  await waits(bench, run);
  const goOn = async () => {
    await releaseAndWake(bench.world(), { ...run, id: 'another' });
    await bench.quiet();
    return bench.run(run.id);
  };
  return { bench, run, goOn };
}

const digestAndQ = ({ question }: Run) => question as NonNullable<Run['question']>;
const waits = (bench: Workbench, run: Run) => deliverUntil(bench, async () => (await bench.run(run.id)).waitsUntil !== undefined);
const alex = { login: 'alex', type: 'User' } as const;

const ways: readonly [string, (bench: Workbench, run: Run) => Promise<unknown>][] = [
  ['in Slack', (bench) => press(bench, { user: 'U0000ALEX', button: 'Reject' })],
  [
    'by a button of the check',
    (bench, run) => {
      const { digest, q } = digestAndQ(run);
      const button = { verb: 'reject', digest: digest.slice(0, 12), question: questionTag({ run: run.id, q }) } as const;
      const check = { sha: run.commit, externalId: run.id, id: 1, pressed: button };
      return bench.happens({ format: 4, event: 'check_run', action: 'requested_action', repository, sender: alex, check });
    },
  ],
  [
    'in a comment',
    (bench, run) => {
      const answered = { verdict: 'reject', digest: digestAndQ(run).digest.slice(0, 12) } as const;
      bench.code.written.set(1, { login: 'alex', body: `/lockkeeper reject ${answered.digest}` });
      return bench.happens({ format: 4, event: 'issue_comment', action: 'created', repository, sender: alex, comment: { pullRequest: 7, id: 1, answered } });
    },
  ],
  [
    'at a terminal',
    async (bench, run) => {
      const question = await findQuestion(bench.world(), repository.id, digestAndQ(run).digest);
      return answerQuestion(bench.world(), question.run, question, { verdict: 'reject', person: { name: 'alex', through: 'github' } });
    },
  ],
];

test.each(ways)('a rejection given %s while the guard waits for the lease is heard: nothing is applied (P7)', async (_, reject) => {
  const { bench, run, goOn } = await guarded();
  await reject(bench, run);
  await bench.quiet();
  expect(await goOn()).toMatchObject({ phase: 'done', outcome: 'rejected' });
  expect(bench.provider.writes).toEqual([]);
});

test.each(ways)('given %s when the lines are let go it counts for nothing and stops nothing (P7)', async (_, reject) => {
  const { bench, run, goOn } = await guarded();
  expect(await goOn()).toMatchObject({ outcome: 'complete' });
  await reject(bench, run).catch(() => undefined);
  await bench.quiet();
  expect(bench.memory.items().filter(({ sk, verdict }) => sk.startsWith('DECISION#') && verdict === 'reject')).toEqual([]);
});

test('nobody is asked meanwhile: the question is in no list of what waits for an answer', async () => {
  const { bench, run } = await guarded();
  expect((await bench.run(run.id)).phase).toBe('guarding');
  expect(await openQuestions(bench.world(), repository.id)).toEqual([]);
});
