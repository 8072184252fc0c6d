import { beforeEach, expect, it } from 'vitest';
import { answerQuestion } from '../../../shared/run/answer-question.ts';
import type { Run } from '../../../shared/run/items.ts';
import { retryRun } from '../../../shared/run/retry.ts';
import { openWorkbench, repository, type Workbench } from '../../../test/ports/workbench.ts';
import type { Store } from '../folder/store.ts';
import { answered } from './answered.ts';

const kim = { name: 'kim', through: 'machine' as const };

let bench: Workbench;
beforeEach(() => {
  bench = openWorkbench();
});

async function decided(id: string, verdict: 'approve' | 'reject'): Promise<Run> {
  await bench.quiet();
  const run = await bench.run(id);
  await answerQuestion(bench.world(), run, run.question as NonNullable<Run['question']>, { verdict, person: kim });
  await bench.quiet();
  return bench.run(id);
}

it('a plan that was rejected, asked about again and applied: whoever rejects it once more is not told that nothing was written', async () => {
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const rejected = await decided(await bench.command({ commit: 'one', environment: 'production', scope: 'main' }), 'reject');
  bench.clock.advance(1000);
  const applied = await decided(await retryRun(bench.world(), rejected), 'approve');
  expect([rejected.outcome, applied.outcome]).toEqual(['rejected', 'complete']);
  expect(applied.question?.digest).toBe(rejected.question?.digest);

  const prefix = (applied.question as NonNullable<Run['question']>).digest.slice(0, 12);
  const notes: string[] = [];
  const say = (verdict: 'approve' | 'reject') =>
    answered(bench.world() as unknown as Store, repository.id, prefix, { verdict, person: kim }, (text) => notes.push(text));
  await expect(say('reject')).rejects.toMatchObject({
    problem: {
      code: 'QUESTION_UNKNOWN',
      message: expect.stringMatching(new RegExp(`you approved it at .* in run ${applied.id.slice(0, 12)}, which has ended as complete`)),
      hint: expect.stringContaining(`lockkeeper undo ${applied.id.slice(0, 12)}`),
    },
  });
  expect((await say('approve')).run.id).toBe(applied.id);
  expect(notes).toEqual([expect.stringContaining('this is what came of it')]);
});
