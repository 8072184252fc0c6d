import type { SQSEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import { sendTo } from '../sample-clients.ts';
import { functionNamed, jobsFor, type QueueParts, templateOf } from '../sample-template.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';

let stack: LocalStack | undefined;
afterEach(() => stack?.stop());

type Worker = (event: SQSEvent) => Promise<unknown>;

async function startWith(worker: Worker, queue: QueueParts = {}, timeoutSeconds = 5): Promise<LocalStack> {
  stack = await startLocalStack({
    template: templateOf(functionNamed('Worker', { timeoutSeconds }), jobsFor('Worker', queue)),
    handlers: { worker: async () => worker },
  });
  return stack;
}

/** A worker that fails the messages `fails` says, and the bodies it was given, in order. */
function recorder(fails: (body: string, attempt: number) => boolean): { seen: string[]; worker: Worker } {
  const seen: string[] = [];
  const worker: Worker = async ({ Records }) => {
    seen.push(...Records.map(({ body }) => body));
    const failed = Records.filter(({ body, attributes }) => fails(body, Number(attributes.ApproximateReceiveCount)));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  return { seen, worker };
}

test('a message named as failed comes back and the others of its batch do not', async () => {
  const { seen, worker } = recorder((body, attempt) => body === 'b' && attempt === 1);
  const running = await startWith(worker);
  for (const body of ['a', 'b', 'c']) await sendTo(running, 'Jobs', body);
  await running.idle();
  expect(seen.sort()).toEqual(['a', 'b', 'b', 'c']);
});

test('a message that fails more often than the queue allows lies in the dead-letter queue', async () => {
  const { seen, worker } = recorder(() => true);
  const running = await startWith(worker, { maxReceiveCount: 2 });
  await sendTo(running, 'Jobs', 'poison');
  await running.idle();
  expect(seen).toEqual(['poison', 'poison']);
  expect((await running.queueDepths())['JobsDead']).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
});

test('a worker that throws has its whole batch delivered again', async () => {
  let attempts = 0;
  const running = await startWith(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('first try');
    return undefined;
  });
  await sendTo(running, 'Jobs', 'once more');
  await running.idle();
  expect(attempts).toBe(2);
});

test('an invocation that hangs counts as failed at the function time-out, and its message is delivered again', async () => {
  let attempts = 0;
  const remaining: number[] = [];
  const worker = async (_: SQSEvent, context: { getRemainingTimeInMillis(): number }) => {
    attempts += 1;
    remaining.push(context.getRemainingTimeInMillis());
    return attempts === 1 ? new Promise(() => undefined) : undefined;
  };
  const running = await startWith(worker as Worker, { visibilitySeconds: 2 }, 1);
  await sendTo(running, 'Jobs', 'slow');
  await running.idle();
  expect(attempts).toBe(2);
  expect(remaining[0]).toBeGreaterThan(500);
  expect(remaining[0]).toBeLessThanOrEqual(1000);
});

test('no more invocations run at a time than the mapping allows, and all of that are used', async () => {
  let now = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const running = await startWith(
    async () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 3) gate.resolve();
      await gate.promise;
      await new Promise(setImmediate);
      now -= 1;
    },
    { batchSize: 1, maximumConcurrency: 3, visibilitySeconds: 30 },
  );
  await Promise.all(Array.from({ length: 12 }, (_, index) => sendTo(running, 'Jobs', `m${index}`)));
  await running.idle();
  expect(most).toBe(3);
});

test('messages that no invocation is free for stay visible in the queue', async () => {
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const running = await startWith(
    async () => {
      began.resolve();
      await gate.promise;
    },
    { batchSize: 1, maximumConcurrency: 1, visibilitySeconds: 30 },
  );
  for (const body of ['first', 'second', 'third']) await sendTo(running, 'Jobs', body);
  await began.promise;
  expect((await running.queueDepths())['Jobs']).toEqual({ visible: 2, inFlight: 1, delayed: 0 });
  gate.resolve();
  await running.idle();
});

test('a delayed message is not delivered before it is due, and idle waits for it unless told not to', async () => {
  const { seen, worker } = recorder(() => false);
  const running = await startWith(worker);
  await sendTo(running, 'Jobs', 'later', 1);
  await running.idle({ ignoreDelayed: true });
  expect(seen).toEqual([]);
  await running.idle();
  expect(seen).toEqual(['later']);
});

test('stop gives up an invocation that does not end, and takes no longer than its bound', async () => {
  const began = Promise.withResolvers<void>();
  const own = await startLocalStack({
    template: templateOf(functionNamed('Worker', { timeoutSeconds: 60 }), jobsFor('Worker')),
    handlers: {
      worker: async () => () => {
        began.resolve();
        return new Promise(() => undefined);
      },
    },
    stopWithinMs: 50,
  });
  await sendTo(own, 'Jobs', 'stuck');
  await began.promise;
  const from = performance.now();
  await own.stop();
  expect(performance.now() - from).toBeLessThan(3000);
});
