import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LineMessage } from '../../events/line-message.ts';
import type { Queues } from '../../shared/ports/queue.ts';

export interface QueuesUnderTest {
  readonly queues: Queues;
  /** Takes everything that can be received now. */
  received(queue: 'control' | 'lines'): Promise<unknown[]>;
  /** How many messages wait for their delay to end. */
  delayed(queue: 'control' | 'lines'): Promise<number>;
  stop(): Promise<void>;
}

const line = (name: string): LineMessage => ({ format: 1, run: 'run-1', round: 1, phase: 'applying', line: name, group: '4711' });

/** What every implementation of the Queues port must do. */
export function queuesContract(name: string, start: () => Promise<QueuesUnderTest>): void {
  describe(`the queues on ${name}`, () => {
    let under: QueuesUnderTest;

    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.stop());

    test('a control message arrives as it was sent, in its own queue', async () => {
      const message = { format: 1, run: 'run-1', group: '4711' } as const;
      await under.queues.control(message);
      expect(await under.received('control')).toEqual([message]);
      expect(await under.received('lines')).toEqual([]);
    });

    test('however many lines are queued, each arrives once', async () => {
      const messages = Array.from({ length: 123 }, (_, index) => line(`line-${index}`));
      await under.queues.lines(messages);
      const arrived = await under.received('lines');
      expect(arrived.map((message) => JSON.stringify(message)).sort()).toEqual(messages.map((message) => JSON.stringify(message)).sort());
    });

    test('queueing no lines sends nothing', async () => {
      await under.queues.lines([]);
      expect(await under.received('lines')).toEqual([]);
    });

    test('a delayed message is not received before its time', async () => {
      await under.queues.control({ format: 1, run: 'later', group: '4711' }, 900);
      await under.queues.lines([line('later')], 900);
      expect(await under.received('control')).toEqual([]);
      expect(await under.received('lines')).toEqual([]);
      expect([await under.delayed('control'), await under.delayed('lines')]).toEqual([1, 1]);
    });
  });
}
