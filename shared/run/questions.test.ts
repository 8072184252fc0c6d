import { expect, it } from 'vitest';
import { commitOf, openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { openQuestion } from '../approvals/question.ts';
import { runKey } from '../table/keys.ts';
import { answerQuestion } from './answer-question.ts';
import { findRun } from './find-run.ts';
import type { Run } from './items.ts';
import { answeredBefore, findQuestion, openQuestions } from './questions.ts';
import { retryRun } from './retry.ts';
import { becameInRun } from './what-became.ts';

const kim = { name: 'kim', through: 'machine' as const };

/** A run for production that asks. */
async function asking(bench: Workbench, commit = 'one', scope = 'main'): Promise<Run & { question: NonNullable<Run['question']> }> {
  bench.pull(7, commit, [{ id: 'a', things: { [`x-${commit}`]: '1' } }]);
  const id = await bench.command({ commit, environment: 'production', scope });
  await bench.quiet();
  return (await bench.run(id)) as Run & { question: NonNullable<Run['question']> };
}

const problem = (code: string, ...parts: string[]) => ({ problem: { code, message: expect.stringMatching(new RegExp(parts.join('[\\s\\S]*'))) } });

it('is found by its digest, or by twelve digits or more of it, in either case', async () => {
  const bench = openWorkbench();
  const { id, question } = await asking(bench);
  for (const wanted of [question.digest, question.digest.slice(0, 12), question.digest.slice(0, 20).toUpperCase()]) {
    expect(await findQuestion(bench.world(), repository.id, wanted)).toMatchObject({ digest: question.digest, q: 1, run: { id } });
  }
});

it.each(['', 'abc', 'a'.repeat(11), `${'a'.repeat(64)}b`, 'not hexadecimal!', '../../../etc/passwd'])('%j names no question: USAGE', async (wanted) => {
  await expect(findQuestion(openWorkbench().world(), repository.id, wanted)).rejects.toMatchObject(problem('USAGE', 'at least the first 12'));
});

it('several that begin so are told apart by their runs: USAGE', async () => {
  const bench = openWorkbench();
  const first = await asking(bench, 'one', 'main');
  const other = await asking(bench, 'two', 'branch-y');
  const digest = `${first.question.digest.slice(0, 12)}${'0'.repeat(52)}`;
  const address = { repository: repository.id, environment: 'production', scope: 'branch-y' };
  await bench.memory.table.write(runKey(other.id), { set: { question: { ...other.question, digest } } }, { is: 'always' });
  await openQuestion(bench.world(), { run: other.id, q: 1, digest, askedAt: '2026-01-01T00:00:00.000Z', expiresAt: other.question.expiresAt }, address);
  const both = problem('USAGE', '2 open questions begin with', first.id.slice(0, 12), '|', other.id.slice(0, 12));
  await expect(findQuestion(bench.world(), repository.id, digest.slice(0, 12))).rejects.toMatchObject(both);
  expect(await findQuestion(bench.world(), repository.id, first.question.digest.slice(0, 20))).toMatchObject({ run: { id: first.id } });
});

it('one that nobody has asked is unknown, and what is open is named', async () => {
  const bench = openWorkbench();
  await expect(findQuestion(bench.world(), repository.id, 'f'.repeat(12))).rejects.toMatchObject(problem('QUESTION_UNKNOWN', 'None is open'));
  const { question } = await asking(bench);
  const wanted = problem('QUESTION_UNKNOWN', question.digest.slice(0, 12), 'production, main');
  await expect(findQuestion(bench.world(), repository.id, 'f'.repeat(12))).rejects.toMatchObject(wanted);
  await expect(findQuestion(bench.world(), 'another repository', question.digest)).rejects.toMatchObject(problem('QUESTION_UNKNOWN', 'None is open'));
});

it('a run’s id in the place of a digest is told apart, and so is a digest in the place of a run’s id', async () => {
  const bench = openWorkbench();
  const { id, question } = await asking(bench);
  const short = question.digest.slice(0, 12);
  await expect(findQuestion(bench.world(), repository.id, id.slice(0, 12))).rejects.toMatchObject(
    problem('QUESTION_UNKNOWN', 'is a run and not a plan', short),
  );
  await expect(findRun(bench.world(), repository.id, short)).rejects.toMatchObject(problem('NOT_FOUND', 'It is a plan, that of run', id.slice(0, 12)));
  await expect(findRun(bench.world(), repository.id, 'f'.repeat(12))).rejects.toMatchObject(problem('NOT_FOUND', 'There is no run'));
});

it('one that is not open any more tells what became of it: rejected, expired, or asked anew', async () => {
  const bench = openWorkbench();
  const rejected = await asking(bench, 'one', 'main');
  await answerQuestion(bench.world(), rejected, rejected.question, { verdict: 'reject', person: kim });
  await bench.quiet();
  await expect(findQuestion(bench.world(), repository.id, rejected.question.digest)).rejects.toMatchObject(
    problem('QUESTION_UNKNOWN', 'has ended as rejected'),
  );
  const expired = await asking(bench, 'two', 'branch-y');
  await bench.sweep(25 * 60);
  await expect(findQuestion(bench.world(), repository.id, expired.question.digest)).rejects.toMatchObject(problem('QUESTION_UNKNOWN', 'has ended as expired'));
  expect(await openQuestions(bench.world(), repository.id)).toEqual([]);
  expect(rejected.commit).toBe(commitOf('one'));
});

it('an answer that was given before is known by who gave it', async () => {
  const bench = openWorkbench();
  const run = await asking(bench);
  const approval = { verdict: 'approve', person: kim } as const;
  await answerQuestion(bench.world(), run, run.question, approval);
  await bench.quiet();
  const prefix = run.question.digest.slice(0, 12);
  expect(await answeredBefore(bench.world(), repository.id, prefix, approval)).toMatchObject({ run: { id: run.id, outcome: 'complete' }, decision: approval });
  expect(await answeredBefore(bench.world(), repository.id, prefix, { person: { ...kim, name: 'lou' } })).toBeUndefined();
});

it('a plan that was rejected, asked about again and applied was approved: what was said to the older run says nothing of the newer', async () => {
  const bench = openWorkbench();
  const first = await asking(bench);
  await answerQuestion(bench.world(), first, first.question, { verdict: 'reject', person: kim });
  await bench.quiet();
  bench.clock.advance(1000);
  const id = await retryRun(bench.world(), await bench.run(first.id));
  await bench.quiet();
  const again = (await bench.run(id)) as typeof first;
  expect(again.question.digest).toBe(first.question.digest);
  const prefix = first.question.digest.slice(0, 12);
  await answerQuestion(bench.world(), again, again.question, { verdict: 'approve', person: kim });
  await bench.quiet();
  expect(await answeredBefore(bench.world(), repository.id, prefix, { person: kim })).toMatchObject({ run: { id }, decision: { verdict: 'approve' } });
  expect(await answeredBefore(bench.world(), repository.id, prefix, { person: { ...kim, name: 'lou' } })).toBeUndefined();
});

it.each(['rejected', 'expired'] as const)('whoever answers one that was %s is told how it is asked again', async (end) => {
  const bench = openWorkbench();
  const run = await asking(bench);
  if (end === 'rejected') await answerQuestion(bench.world(), run, run.question, { verdict: 'reject', person: kim });
  await (end === 'rejected' ? bench.quiet() : bench.sweep(25 * 60));
  await expect(findQuestion(bench.world(), repository.id, run.question.digest)).rejects.toMatchObject({
    problem: { hint: expect.stringContaining(`lockkeeper retry ${run.id.slice(0, 12)}`) },
  });
});

it('whoever answers one whose place another run took is told which', async () => {
  const bench = openWorkbench();
  const first = await asking(bench);
  bench.clock.advance(1000);
  const other = await asking(bench);
  expect(other.question.digest).toBe(first.question.digest);
  await answerQuestion(bench.world(), other, other.question, { verdict: 'approve', person: kim });
  await bench.quiet();
  expect(await becameInRun(bench.world(), await bench.run(first.id), first.question.digest)).toContain(other.id);
});
