import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { mark, writesSince } from '../../e2e/story/moves.ts';
import { quiet } from '../../e2e/story/world.ts';

export const tick: Chapter = {
  name: 'tick',
  title: 'The schedule looks around',
  after: ['opening'],
  async tell(world, page) {
    const before = mark(world);
    const runs = await world.house.runs();
    await world.house.stack.invoke('schedule', {});
    await quiet(world);
    const now = await world.house.runs();
    check(now.map(({ id, version }) => `${id} ${version}`).join() === runs.map(({ id, version }) => `${id} ${version}`).join(), 'every run is as it was');
    check(writesSince(world, before).length === 0, 'nothing is written at any provider', writesSince(world, before));
    page.step('the 15 minutes are over', 'the schedule asks the table what is due; every run rests, so nothing is');
  },
};
