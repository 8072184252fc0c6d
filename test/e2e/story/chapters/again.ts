import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { mark, pullOf } from '../moves.ts';
import { quiet } from '../world.ts';

export const again: Chapter = {
  name: 'again',
  title: 'GitHub delivers the same webhook again',
  after: ['opening'],
  async tell(world, page) {
    const pull = pullOf(world, 'checkout');
    const { sim } = world.house;
    const before = mark(world);
    const runs = await world.house.runs();
    const delivery = await sim.control.redeliver();
    await quiet(world);
    check(delivery?.status === 202, 'a second delivery is answered like the first', delivery);
    const now = await world.house.runs();
    check(now.length === runs.length, 'there is no second run', now.length);
    check(now[0]?.version === runs[0]?.version, 'the run is as it was');
    check(
      mark(world) === before,
      'nothing is asked of, or written to, anybody',
      sim.requests({ since: before }).map((one) => `${one.method} ${one.path}`),
    );
    page.step(`pull_request.opened of #${pull.number} arrives a second time, under its old delivery id`, 'it is known: no run, no request to anybody');
  },
};
