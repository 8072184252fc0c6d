import { expect, test } from 'vitest';
import { written } from '../../test/ports/memory-table.ts';
import { answer, askedRun, knowPeople, principalOf, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { withdraw } from '../approvals/decision.ts';
import type { Run } from '../run/items.ts';
import { openQuestions } from '../run/questions.ts';

const changes = [{ id: 'a', things: { x: '1' } }];
const takeBack = (bench: Workbench, { id, question }: Run, login: string) =>
  withdraw(
    { table: bench.memory.table, ids: bench.world().ids },
    { run: id, q: question?.q as number, digest: question?.digest as string },
    throughAws(login),
    new Date(bench.clock.now()).toISOString(),
  );

async function looked(bench: Workbench): Promise<void> {
  await bench.quiet();
  for (let times = 0; times < 3; times += 1) await bench.sweep();
}

test('a guard that dies when it has closed the question, and the next one that finds nobody’s word, leave it open to others (P7, I11)', async () => {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada', 'bob'], ['ada', 'bob']);
  const run = await askedRun(bench, changes);
  const isItem = written(`RUN#${run.id}`, 'META');
  bench.memory.faults.fail((call) => {
    const honours = call.op === 'write' && isItem(call) && 'set' in call.change && call.change.set?.['honoured'] !== undefined;
    if (honours) knowPeople(bench, ['ada', 'bob'], ['bob']);
    return honours;
  }, new Error('gone'));
  await answer(bench, run, 'approve', throughAws('ada'));
  await looked(bench);
  expect((await bench.run(run.id)).phase).toBe('awaiting');
  expect(await openQuestions(bench.world(), repository.id)).toMatchObject([{ q: 1, digest: run.question?.digest }]);
  expect(await takeBack(bench, run, 'ada')).toBe('withdrawn');
  expect((await answer(bench, run, 'approve', throughAws('bob'))).outcome).toBe('complete');
});

test('of two whose approvals were made sure of, one took theirs back in time: the other may still do so (P7)', async () => {
  const bench = openWorkbench('deployed');
  const approvers = ['ada', 'bob', 'kim'].map((github) => ({ github, aws: principalOf(github) }));
  putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { required: 2, approvers } } }));
  const run = await askedRun(bench, changes);
  for (const login of ['ada', 'bob']) await writeAnswer(bench, run, 'approve', throughAws(login));
  const isAnswer = written('PLAN#', 'DECISION#');
  let sure = 0;
  bench.memory.faults.before(
    (call) => call.op === 'write' && isAnswer(call) && 'set' in call.change && call.change.set?.['honoured'] !== undefined && ++sure === 2,
    () => takeBack(bench, run, 'bob'),
  );
  await wake(bench, run);
  await looked(bench);
  expect(sure).toBeGreaterThanOrEqual(2);
  expect((await bench.run(run.id)).phase).toBe('awaiting');
  expect(await takeBack(bench, run, 'ada')).toBe('withdrawn');
  expect(bench.provider.writes).toEqual([]);
});
