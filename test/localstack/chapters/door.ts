import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { mark } from '../../e2e/story/moves.ts';
import { deliver } from '../../sim/github/deliver.ts';

export const door: Chapter = {
  name: 'door',
  title: 'Who knocks without GitHub’s signature',
  after: [],
  async tell(world, page) {
    const { webhookUrl, sim } = world.house;
    const unsigned = await fetch(webhookUrl, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', 'x-github-event': 'ping' } });
    check(unsigned.status === 401, 'an unsigned request is refused with 401', unsigned.status);
    const push = { event: 'push', payload: { repository: { full_name: 'acme/storefront' } } } as unknown as Parameters<typeof deliver>[1];
    const forged = await deliver(webhookUrl, push, 'another secret');
    check(forged.status === 401, 'so is one signed with another secret', forged.status);
    check((await world.house.runs()).length === 0, 'there is no run');
    check(mark(world) === 0, 'nobody is asked anything', sim.requests());
    page.step('a request comes in unsigned, and one that is signed with another secret', 'both are refused, 401; nothing is recorded and nobody is asked');
  },
};
