/** Objects whose parts several lines write (P3): a lock that is one attempt's at one line, and never a run's. */
import { listItem } from '../../../shared/adapters/http-api/list-item/list-item.ts';
import { createRegistry } from '../../../shared/adapters/registry.ts';
import type { Op } from '../../../shared/engine/op.ts';
import { pullHook } from '../hooks.ts';
import { itemOf as item, sharedList, theirs } from '../shared-list.ts';
import type { Case } from './case.ts';
import { deliverUntil, line } from './deliveries.ts';

const list = sharedList();

export const parentCases: readonly Case[] = [
  {
    name: 'two lines of one run write parts of one object at once',
    source: 'm7-small 7a-1, findings 15',
    guards: ['I3', 'I5'],
    options: { registry: createRegistry([listItem as Op]), provider: list.http },
    async play(simulator) {
      const { bench } = simulator;
      list.begin();
      const tip = '9'.repeat(40);
      bench.code.commit(tip, 'lockkeeper.yaml', JSON.stringify({ version: 1, environments: { preview: { http_hosts: ['api.login.example'] } } }));
      bench.code.tips.set('main', tip);
      bench.pull(7, 'one', [item('a'), item('b')], { providers: { http: { login: { base_url: 'https://api.login.example' } } } });
      await simulator.hook(pullHook('opened', 7, 'one'));
      const first = await deliverUntil(simulator, line('a'));
      await first.until(({ port, about }) => port === 'provider' && !about.includes('"method":"GET"'));
      await (await simulator.take(line('b'))).run();
      await first.run();
      await simulator.rest();
      const missing = [theirs, 'https://a.example', 'https://b.example'].filter((one) => !list.items().includes(one));
      if (missing.length > 0) throw new Error(`I3: the run is over, and a second apply would write again what is gone from the list: ${missing.join()}`);
    },
  },
];
