import { expect, test } from 'vitest';
import { askInSlack, press, toldTo } from '../../test/ports/in-slack.ts';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { askedRun } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { readDecisions } from '../approvals/decision.ts';
import { questionTag } from '../approvals/question.ts';
import type { Run } from '../run/items.ts';
import { withdrawAnswer } from '../run/withdraw-answer.ts';

/** A question that two people must answer, in Slack and beside its commit. */
async function asked(): Promise<{ bench: Workbench; run: Run }> {
  const bench = openWorkbench('deployed');
  askInSlack(bench, { required: 2 });
  return { bench, run: await askedRun(bench, [{ id: 'a', things: { x: '1' } }]) };
}

const questionOf = ({ id, question }: Run) => ({ run: id, q: question?.q as number, digest: question?.digest as string });
const standing = (bench: Workbench, run: Run) => readDecisions(bench.memory.table, questionOf(run));

const nextMessage = (bench: Workbench) => bench.deliver(bench.queues.takeAt(0) as Queued);

/** The next message takes effect, and dies before what brought it is closed: it comes again. */
async function diesBeforeItsEnd(bench: Workbench, item: string): Promise<void> {
  bench.memory.faults.fail(
    (call) => call.op === 'write' && call.key.pk.startsWith(item) && 'set' in call.change && call.change.set?.['status'] === 'done',
    new Error('gone'),
  );
  await nextMessage(bench);
}

async function takeBack(bench: Workbench, run: Run): Promise<void> {
  bench.clock.advance(1000);
  await withdrawAnswer(bench.world(), repository.id, questionOf(run).digest, { name: 'alex', through: 'github' });
}

async function rested(bench: Workbench): Promise<void> {
  await bench.quiet();
  for (let times = 0; times < 2; times += 1) await bench.sweep(5);
}

test('a click in Slack that comes again brings back no approval that was taken back meanwhile (P7, I7)', async () => {
  const { bench, run } = await asked();
  await press(bench, { user: 'U0000ALEX', button: 'Approve' });
  await diesBeforeItsEnd(bench, 'DELIVERY#');
  expect(await standing(bench, run)).toHaveLength(1);
  await takeBack(bench, run);
  await rested(bench);
  expect(await standing(bench, run)).toEqual([]);
  expect(toldTo(bench, 'U0000ALEX')).toContain('took back');
});

test('nor does one that was made before and is heard after', async () => {
  const { bench, run } = await asked();
  await press(bench, { user: 'U0000ALEX', button: 'Approve' });
  await nextMessage(bench);
  bench.clock.advance(1000);
  await press(bench, { user: 'U0000ALEX', button: 'Approve' });
  await takeBack(bench, run);
  await rested(bench);
  expect(await standing(bench, run)).toEqual([]);
});

test('nor does a button of a check (P7, I7)', async () => {
  const { bench, run } = await asked();
  const digest = questionOf(run).digest.slice(0, 12);
  const check = {
    sha: run.commit,
    externalId: run.id,
    id: 1,
    pressed: { verb: 'approve', digest, question: questionTag({ run: run.id, q: run.question?.q ?? 0 }) },
  } as const;
  await bench.happens({ format: 4, event: 'check_run', action: 'requested_action', repository, sender: { login: 'alex', type: 'User' }, check });
  await diesBeforeItsEnd(bench, 'RUN#');
  expect(await standing(bench, run)).toHaveLength(1);
  await takeBack(bench, run);
  await rested(bench);
  expect(await standing(bench, run)).toEqual([]);
});

test('whoever clicks once more after that has approved', async () => {
  const { bench, run } = await asked();
  await press(bench, { user: 'U0000ALEX', button: 'Approve' });
  await bench.quiet();
  await takeBack(bench, run);
  bench.clock.advance(1000);
  await press(bench, { user: 'U0000ALEX', button: 'Approve' });
  await rested(bench);
  expect(await standing(bench, run)).toMatchObject([{ verdict: 'approve', person: { name: 'alex', through: 'slack' } }]);
});
