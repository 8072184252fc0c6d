import { expect, test } from 'vitest';
import { askInSlack, presses } from '../../test/ports/in-slack.ts';
import { askedRun } from '../../test/ports/people.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { buttonsOf } from '../../test/sim/slack/press.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

test('a question in production is one card with two buttons', async () => {
  const bench = openWorkbench('deployed');
  askInSlack(bench);
  await askedRun(bench, changes);
  const [card, ...others] = bench.slack.cards();
  expect(others).toEqual([]);
  expect(buttonsOf(card?.blocks ?? [])).toHaveLength(2);
});

test('an approval lets the run go on, and the card says so', async () => {
  const bench = openWorkbench('deployed');
  askInSlack(bench);
  const run = await askedRun(bench, changes);
  await presses(bench, 'U0000ROBIN');
  expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete' });
});
