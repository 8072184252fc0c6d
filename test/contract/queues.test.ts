import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqs } from '../../shared/platform/clients.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { fauxqsUnkept, memoryQueuesUnkept } from './known-differences.ts';
import { queuesAt } from './queues-at.ts';
import { queuesContract } from './queues-contract.ts';
import { queuesInMemory } from './queues-in-memory.ts';

queuesContract('memory', async () => queuesInMemory(), memoryQueuesUnkept);

queuesContract(
  'fauxqs',
  async () => {
    const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    const under = await queuesAt(`http://127.0.0.1:${server.port}`);
    return { ...under, stop: () => under.stop().then(() => server.stop()) };
  },
  fauxqsUnkept,
);

for (const { name, url } of deployedEndpoints) queuesContract(name, () => queuesAt(url));

describe('sending to SQS', () => {
  let server: Awaited<ReturnType<typeof startFauxqs>>;
  beforeAll(async () => {
    server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  });
  afterAll(() => server.stop());

  test('a queue that is not there is an unreachable store', async () => {
    const client = sqs({ ...emulated, AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${server.port}` });
    const nowhere = `http://127.0.0.1:${server.port}/000000000000/nowhere`;
    const queues = sqsQueues({ client, control: nowhere, lines: nowhere, clock: manualClock() });
    const message = { format: 1, run: 'r', group: 'g' } as const;
    await expect(queues.control(message)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    await expect(queues.lines([{ ...message, round: 1, phase: 'planning', line: 'a' }])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});
