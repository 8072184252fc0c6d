import type { Clock } from '../ports/clock.ts';
import type { Table } from '../ports/table.ts';
import { readQuestion } from './question.ts';

/** How long the oldest question that nobody has answered yet has been open, whole seconds; 0 where none is. */
export async function oldestQuestionSeconds({ table, clock }: { readonly table: Table; readonly clock: Pick<Clock, 'now'> }): Promise<number> {
  const parked = await table.list({ index: 'due', partition: 'awaiting' });
  const questions = await Promise.all(
    parked.map((item) => {
      // Whoever may put an item of another kind into the index must not stop the schedule that reads this.
      const question = item['question'] as { digest: string; q: number } | undefined;
      return question === undefined ? undefined : readQuestion(table, question.digest, item['id'] as string, question.q);
    }),
  );
  const asked = questions.flatMap((question) => (question?.state === 'open' ? [Date.parse(question.askedAt)] : []));
  return asked.length === 0 ? 0 : Math.max(0, Math.floor((clock.now() - Math.min(...asked)) / 1000));
}
