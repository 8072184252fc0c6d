import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { controlMessage } from '../../events/control-message.ts';
import { lineMessage } from '../../events/line-message.ts';
import { queueJob } from '../../functions/queue-job.ts';
import { openWorkbench } from '../ports/workbench.ts';

const wake = { format: 1, run: 'r-1', group: '7101' };
const line = { ...wake, round: 1, phase: 'applying', line: 'a' };

const record = (messageId: string, body: object): SQSRecord =>
  ({ messageId, body: JSON.stringify(body), receiptHandle: 'h', attributes: { ApproximateReceiveCount: '1' }, eventSourceARN: 'arn:aws:sqs:::q' }) as SQSRecord;

/** Which of these messages a queue gets back, and which were worked on. */
async function handled(message: z.ZodType<object>, records: readonly SQSRecord[]) {
  const work = vi.fn(async (_world: object, _message: object) => undefined);
  const { world: open, log } = openWorkbench();
  const job = queueJob({ message, open: () => open(), log: () => log, handBack: async () => undefined, work });
  const answer = await job({ Records: [...records] } as SQSEvent, {} as Context);
  return { back: answer.batchItemFailures.map((failure) => failure.itemIdentifier), worked: work.mock.calls.map(([, given]) => given) };
}

const queues = {
  control: [controlMessage, wake],
  lines: [lineMessage, line],
  'dead letters': [z.union([lineMessage, controlMessage]), wake],
} as const;

describe('a message of a newer format', () => {
  it.each(Object.entries(queues))('of the queue %s is handed back and not acknowledged, and holds nobody up', async (_name, [schema, known]) => {
    const answer = await handled(schema, [record('newer', { ...known, format: 99 }), record('known', known)]);
    expect(answer).toEqual({ back: ['newer'], worked: [known] });
  });

  it('that only has a field more than this version knows is handed back too', async () => {
    const answer = await handled(controlMessage, [record('newer', { ...wake, urgency: 'high' })]);
    expect(answer).toEqual({ back: ['newer'], worked: [] });
  });
});

describe('an item of a newer format', () => {
  it('is left as it is: its message comes back until newer code takes it', async () => {
    const bench = openWorkbench();
    const id = await bench.command({ commit: 'one' });
    const key = { pk: `RUN#${id}`, sk: 'META' };
    await bench.memory.table.write(key, { set: { format: 99 } }, { is: 'always' });
    const before = bench.memory.items();
    const message = bench.queues.take('control');
    if (message === undefined) throw new Error('a command queues its run');
    await bench.deliver(message);
    expect(bench.memory.items()).toEqual(before);
    expect(bench.queues.waiting()).toHaveLength(1);
    expect(bench.logged.map((entry) => entry.message)).toContainEqual(expect.stringContaining('format 99'));
  });
});
