import { expect } from 'vitest';
import { sweepFaults } from '../../test/ports/fault-sweep.ts';
import { askInSlack } from '../../test/ports/in-slack.ts';
import { askedRun, wake, writeAnswer } from '../../test/ports/people.ts';
import type { Workbench } from '../../test/ports/workbench.ts';
import type { Run } from './items.ts';

const robin = { name: 'robin', through: 'github' } as const;
const changes = [{ id: 'a', things: { x: '1' } }];

const isRun = (item: object): boolean => 'item' in item && item.item === 'run';
const onlyRun = (bench: Workbench): Run => bench.memory.items().find(isRun) as unknown as Run;
/** What was said below the only card. */
const below = (bench: Workbench): string[] => {
  const cards = bench.slack.cards();
  expect(cards).toHaveLength(1);
  return bench.slack.below(cards[0]?.ts as string).map(({ text }) => text ?? '');
};

/** So many hours pass, and the schedule looks often enough for what a fault has cost. */
async function hoursPass(bench: Workbench, hours: number): Promise<void> {
  await bench.sweep(hours * 60);
  for (let times = 0; times < 3; times += 1) await bench.sweep(2);
}

sweepFaults(
  'wherever one fault falls (P2, R4.43)',
  {
    async 'people are reminded at half and at nine tenths of the time, each once, and the last answer still counts'(bench) {
      await hoursPass(bench, 12.5);
      expect(below(bench)).toEqual([expect.stringContaining('Still waiting for an answer')]);
      await hoursPass(bench, 9.3);
      expect(below(bench)).toHaveLength(2);
      const run = onlyRun(bench);
      expect(run.phase).toBe('awaiting');
      await writeAnswer(bench, run, 'approve', robin);
      await wake(bench, run);
      await bench.quiet();
      for (let times = 0; times < 3 && onlyRun(bench).phase !== 'done'; times += 1) await bench.sweep();
      expect(below(bench)).toHaveLength(2);
    },
  },
  {
    stack: 'deployed',
    async first(bench) {
      askInSlack(bench);
      await askedRun(bench, changes);
      expect(below(bench)).toEqual([]);
    },
  },
);
