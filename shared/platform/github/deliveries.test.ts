import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { type Sim, startSim } from '../../../test/sim/sim.ts';
import type { Delivery, HostDeliveries } from '../../ports/code-host.ts';
import { githubCodeHost } from './code-host.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

let sim: Sim;
beforeAll(async () => {
  sim = await startSim();
});
afterAll(() => sim.stop());

function deliveriesOf(fetchAs?: typeof fetch): HostDeliveries {
  const credentials = { appId: 1_204_512, privateKey };
  const host = githubCodeHost({ baseUrl: sim.urls.github, clock: manualClock(Date.now()), credentials, ...(fetchAs ? { fetch: fetchAs } : {}) });
  if (!host.deliveries) throw new Error('an app is told of events');
  return host.deliveries;
}

async function all(listed: AsyncIterable<Delivery>): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const one of listed) found.push(one);
  return found;
}

const lose = () => sim.control.lose('http://127.0.0.1:1/', sim.control.webhook('ping', {}), 'secret');
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

describe('deliveries of the App’s webhook', () => {
  it('are listed newest first, page after page, back to a moment', async () => {
    const guids = [lose(), lose(), lose()];
    guids.forEach((delivery, at) => void sim.control.edit('github.age', { delivery, minutes: 90 - at * 30 }));
    sim.control.set({ github: { pageSize: 1 } });
    expect((await all(deliveriesOf().since(minutesAgo(100)))).map(({ guid }) => guid)).toEqual(guids.toReversed());
    expect(await all(deliveriesOf().since(minutesAgo(70)))).toMatchObject([{ guid: guids[2], status: 502 }, { guid: guids[1] }]);
    const asked = sim.requests({ provider: 'github' }).length;
    await all(deliveriesOf().since(minutesAgo(40)));
    expect(sim.requests({ provider: 'github' }).length - asked).toBe(2);
    sim.control.set({ github: { pageSize: 100 } });
  });

  it('are asked for again by id, as the app itself', async () => {
    const [newest] = await all(deliveriesOf().since(0));
    await deliveriesOf().again(String(newest?.id));
    expect(sim.requests({ provider: 'github' }).at(-1)).toMatchObject({ method: 'POST', path: `/app/hook/deliveries/${newest?.id}/attempts` });
  });

  it('keep ids that a number of JSON’s would round', async () => {
    const wide = '[{"id": 9007199254740993, "guid": "g", "delivered_at": "2026-01-01T00:00:00Z", "status_code": 502}]';
    const answering: typeof fetch = async () => new Response(wide, { headers: { 'content-type': 'application/json' } });
    expect(await all(deliveriesOf(answering).since(0))).toMatchObject([{ id: '9007199254740993', guid: 'g' }]);
  });

  it('are told to no holder of a token', () => {
    expect(githubCodeHost({ baseUrl: sim.urls.github, clock: manualClock(Date.now()), credentials: { token: 't' } }).deliveries).toBeUndefined();
  });
});
