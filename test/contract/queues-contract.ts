import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LineMessage } from '../../events/line-message.ts';
import type { Queues } from '../../shared/ports/queue.ts';
import { testPromise, type Unkept } from './unkept.ts';

export type QueueName = 'control' | 'lines';

/** A message that is hidden from everybody else until it is finished, handed back, or its time is over. */
export interface Received {
  readonly message: unknown;
  /** How often it has been received, this time included. */
  readonly receives: number;
  /** What the queue knows of its group. */
  readonly group: string | undefined;
  /** Makes it visible again after so many seconds. */
  handBack(seconds: number): Promise<void>;
  finish(): Promise<void>;
}

export interface QueuesUnderTest {
  readonly queues: Queues;
  /** Receives before a message is dead. */
  readonly receives: Readonly<Record<QueueName, number>>;
  /** Receives up to ten messages, hidden for so many seconds. `waiting`: as soon as there is one, within a bound. */
  receive(queue: QueueName, hiddenSeconds: number, how?: 'waiting'): Promise<Received[]>;
  /** Takes the dead letters of a queue. */
  dead(queue: QueueName): Promise<unknown[]>;
  /** How many messages wait for their delay to end. */
  delayed(queue: QueueName): Promise<number>;
  /** Loses the answer of the next request that sends to the queue, which takes effect. */
  loseNextSend(queue: QueueName): void;
  /** What its caller hears then: the SDK sends again, the port in memory says that nobody knows. */
  readonly afterLoss: 'sent' | 'STORE_UNREACHABLE';
  /** Lets so much time pass where it does not pass by itself. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

/** What not every implementation is known to keep. */
export type QueuePromise = 'a message has its repository as its group' | 'what SQS refuses of a batch is refused, and the rest is queued';

/** What every implementation of the Queues port must do, and the queues behind it. */
export function queuesContract(name: string, start: () => Promise<QueuesUnderTest>, unkept: Unkept<QueuePromise> = {}): void {
  describe(`the queues on ${name}`, () => {
    let under: QueuesUnderTest;
    let count = 0;

    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.stop());

    const control = () => ({ format: 1, run: `run-${++count}`, group: '4711' }) as const;
    const line = (id = `line-${++count}`): LineMessage => ({ format: 1, run: 'run-1', round: 1, phase: 'applying', line: id, group: '4711' });

    /** Takes everything that can be received now. */
    async function taken(queue: QueueName): Promise<unknown[]> {
      const messages: unknown[] = [];
      for (;;) {
        const received = await under.receive(queue, 600);
        if (received.length === 0) return messages;
        for (const one of received) await one.finish();
        messages.push(...received.map(({ message }) => message));
      }
    }

    /** The one message that can be received. */
    async function only(queue: QueueName, hiddenSeconds = 600, how?: 'waiting'): Promise<Received> {
      const [one, ...more] = await under.receive(queue, hiddenSeconds, how);
      expect(more).toEqual([]);
      if (!one) throw new Error('nothing can be received');
      return one;
    }

    test('a control message arrives as it was sent, in its own queue', async () => {
      const message = control();
      await under.queues.control(message);
      expect(await taken('control')).toEqual([message]);
      expect(await taken('lines')).toEqual([]);
    });

    test('however many lines are queued, each arrives once', async () => {
      const messages = Array.from({ length: 123 }, () => line());
      await under.queues.lines(messages);
      const arrived = await taken('lines');
      expect(arrived.map((message) => JSON.stringify(message)).sort()).toEqual(messages.map((message) => JSON.stringify(message)).sort());
    });

    test('queueing no lines sends nothing', async () => {
      await under.queues.lines([]);
      expect(await taken('lines')).toEqual([]);
    });

    test('a delayed message is not received before its time', async () => {
      await under.queues.control(control(), 900);
      await under.queues.lines([line()], 900);
      expect(await taken('control')).toEqual([]);
      expect(await taken('lines')).toEqual([]);
      expect([await under.delayed('control'), await under.delayed('lines')]).toEqual([1, 1]);
    });

    test('a delayed message is received when its time is over', async () => {
      const message = line();
      await under.queues.lines([message], 1);
      under.pass(1);
      const received = await only('lines', 600, 'waiting');
      expect(received).toMatchObject({ message, receives: 1 });
      await received.finish();
    });

    describe('a message that was received', () => {
      test('is hidden, comes again when it is handed back, counts its receives, and is gone when it is finished', async () => {
        const message = line();
        await under.queues.lines([message]);
        for (const receives of [1, 2, 3]) {
          const received = await only('lines');
          expect(received).toMatchObject({ message, receives });
          expect(await under.receive('lines', 600)).toEqual([]);
          await received.handBack(0);
        }
        await (await only('lines')).finish();
        expect(await taken('lines')).toEqual([]);
        expect(await under.dead('lines')).toEqual([]);
      });

      test('and is not finished comes again by itself when its time is over', async () => {
        const message = control();
        await under.queues.control(message);
        await only('control', 1);
        under.pass(1);
        const again = await only('control', 600, 'waiting');
        expect(again).toMatchObject({ message, receives: 2 });
        await again.finish();
      });

      test('comes again after the time that it is handed back for, however long it was to be hidden', async () => {
        const message = line();
        await under.queues.lines([message]);
        await (await only('lines', 600)).handBack(1);
        under.pass(1);
        const again = await only('lines', 600, 'waiting');
        expect(again).toMatchObject({ message, receives: 2 });
        await again.finish();
      });

      test('and finished is no mistake to hand back, and stays gone', async () => {
        await under.queues.lines([line()]);
        const received = await only('lines');
        await received.finish();
        await received.handBack(0);
        expect(await taken('lines')).toEqual([]);
      });

      test('and handed back leaves the others of its batch finished', async () => {
        const messages = [line('a'), line('b'), line('c')];
        await under.queues.lines(messages);
        const batch: Received[] = [];
        while (batch.length < 3) batch.push(...(await under.receive('lines', 600, 'waiting')));
        for (const one of batch) await ((one.message as LineMessage).line === 'b' ? one.handBack(0) : one.finish());
        expect(await taken('lines')).toEqual([messages[1]]);
      });

      test.each(['control', 'lines'] as const)('as often as the %s queue allows is dead, and no earlier', async (queue) => {
        const sent = { control: control(), lines: line() };
        const message = sent[queue];
        await (queue === 'control' ? under.queues.control(sent.control) : under.queues.lines([sent.lines]));
        for (let receives = 1; receives <= under.receives[queue]; receives += 1) {
          expect(await under.dead(queue)).toEqual([]);
          const received = await only(queue);
          expect(received).toMatchObject({ message, receives });
          await received.handBack(0);
        }
        expect(await under.receive(queue, 600)).toEqual([]);
        expect(await under.dead(queue)).toEqual([message]);
        expect(await under.dead(queue)).toEqual([]);
      });
    });

    describe('a lost answer', () => {
      const heard = (asked: Promise<unknown>): Promise<unknown> =>
        asked.then(
          () => 'sent',
          (error: { code: string }) => error.code,
        );

      test('of a send leaves the message there, once or more', async () => {
        const message = control();
        under.loseNextSend('control');
        expect(await heard(under.queues.control(message))).toBe(under.afterLoss);
        expect(new Set((await taken('control')).map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(message)]));
      });

      test('of a batch leaves each of its messages there, once or more', async () => {
        const messages = [line(), line(), line()];
        under.loseNextSend('lines');
        expect(await heard(under.queues.lines(messages))).toBe(under.afterLoss);
        expect(new Set((await taken('lines')).map((one) => JSON.stringify(one)))).toEqual(new Set(messages.map((one) => JSON.stringify(one))));
      });
    });

    const groups = async (): Promise<unknown[]> => {
      await under.queues.control(control());
      await under.queues.lines([{ ...line(), group: '42' }]);
      const received = [await only('control'), await only('lines')];
      for (const one of received) await one.finish();
      return received.map(({ group }) => group);
    };
    testPromise(unkept, 'a message has its repository as its group', {
      kept: async () => expect(await groups()).toEqual(['4711', '42']),
      instead: async () => expect(await groups()).toEqual([undefined, undefined]),
    });

    /** U+FFFF is a character that SQS takes in no message. */
    const withOneRefused = () => [line('a'), line('\uffff'), line('c')];
    testPromise(unkept, 'what SQS refuses of a batch is refused, and the rest is queued', {
      async kept() {
        const messages = withOneRefused();
        await expect(under.queues.lines(messages)).rejects.toMatchObject({
          code: 'STORE_UNREACHABLE',
          message: expect.stringContaining('InvalidMessageContents'),
        });
        const arrived = (await taken('lines')) as LineMessage[];
        expect(arrived.map((message) => message.line).sort()).toEqual(['a', 'c']);
      },
      async instead() {
        await under.queues.lines(withOneRefused());
        expect(await taken('lines')).toHaveLength(3);
      },
    });
  });
}
