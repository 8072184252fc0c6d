import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlMessage } from '../../events/control-message.ts';
import type { StateMachine } from '../../shared/ports/state-machine.ts';
import { testPromise, type Unkept } from './unkept.ts';

export interface StateMachineUnderTest {
  readonly machine: StateMachine;
  /** The same flow, in which guard and re-plan wait no longer than `workSeconds`. */
  readonly impatient: StateMachine;
  readonly workSeconds: number;
  /** Takes the next message that a state has sent; waits for it, within a bound. */
  sent(): Promise<unknown>;
  /** What the queue knows of the group of the message that was taken last. */
  group(): string | undefined;
  /** Takes what else has been sent by now. */
  left(): Promise<unknown[]>;
  /** Waits within a bound until the execution of that name has ended. Whatever it sent can be taken then. */
  ended(name: string): Promise<void>;
  /** Loses the answer of the next such request, which takes effect. */
  loseNext(method: 'start' | 'succeed'): void;
  /** Lets so much time pass where it does not pass by itself. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

/** What not every implementation is known to keep. */
export type MachinePromise =
  | 'a message of a state has the repository as its group'
  | 'a question that runs out is told to the controller, one answered in time is not, and its token is gone'
  | 'an answer that asks without a time ends the execution, and nobody is asked'
  | 'of two that complete a token at once one hears that it is gone';

/** What every implementation of the StateMachine port must do with the approval flow behind it (P7). */
export function stateMachineContract(name: string, start: () => Promise<StateMachineUnderTest>, unkept: Unkept<MachinePromise> = {}): void {
  describe(`the state machine on ${name}`, () => {
    let under: StateMachineUnderTest;
    let count = 0;
    const stamp = Date.now().toString(36);

    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.stop());

    /** A run that no other test has, the name of its execution, and what this takes. */
    function fresh(expiresSeconds = 3600) {
      const run = `run-${stamp}-${++count}`;
      return { run, name: `${run}-1`, input: (enter: string) => ({ enter, run, group: '4711', expiresSeconds }) };
    }

    /** The next message, which is of this run and execution and wakes for this step. */
    async function woken({ run, name }: ReturnType<typeof fresh>, step: string): Promise<{ token: string; entered: string }> {
      const message = controlMessage.parse(await under.sent());
      expect(message).toEqual({ format: 2, run, group: '4711', step, token: expect.any(String), entered: expect.any(String), execution: name });
      const { token = '', entered = '' } = message as { token?: string; entered?: string };
      return { token, entered };
    }

    /** It has ended, and nobody was told anything else. */
    async function over({ name }: ReturnType<typeof fresh>): Promise<void> {
      await under.ended(name);
      expect(await under.left()).toEqual([]);
    }

    const finish = async (one: ReturnType<typeof fresh>, token: string): Promise<void> => {
      expect(await under.machine.succeed(token, { next: 'done' })).toBe('done');
      await over(one);
    };

    test('a question is asked, guarded, planned again, asked again, guarded and done with', async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      const steps = ['ask', 'guard', 'replan', 'ask', 'guard', 'done'];
      for (const [index, step] of steps.slice(0, -1).entries()) {
        const { token } = await woken(one, step);
        expect(await under.machine.succeed(token, { next: steps[index + 1], expiresSeconds: 3600 })).toBe('done');
      }
      await over(one);
    });

    test.each(['guard', 'replan'])('an execution may enter at %s', async (enter) => {
      const one = fresh();
      await under.machine.start(one.name, one.input(enter));
      await finish(one, (await woken(one, enter)).token);
    });

    test('an input that names no step starts an execution that ends, and keeps its name', async () => {
      const one = fresh();
      expect(await under.machine.start(one.name, one.input('sideways'))).toBe('started');
      await over(one);
      expect(await under.machine.start(one.name, one.input('ask'))).toBe('exists');
      expect(await under.left()).toEqual([]);
    });

    test('a name starts one execution, whatever the input is the second time', async () => {
      const one = fresh();
      expect(await under.machine.start(one.name, one.input('ask'))).toBe('started');
      const { token } = await woken(one, 'ask');
      expect(await under.machine.start(one.name, one.input('guard'))).toBe('exists');
      await finish(one, token);
    });

    test('of 10 that start a name at once one starts it', async () => {
      const one = fresh();
      const answers = await Promise.all(Array.from({ length: 10 }, () => under.machine.start(one.name, one.input('ask'))));
      expect(answers).toContain('started');
      await finish(one, (await woken(one, 'ask')).token);
    });

    test('a token is completed once: who comes later hears that it is gone, and changes nothing', async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      const { token } = await woken(one, 'ask');
      expect(await under.machine.succeed(token, { next: 'guard' })).toBe('done');
      const next = await woken(one, 'guard');
      expect(await under.machine.succeed(token, { next: 'done' })).toBe('gone');
      await finish(one, next.token);
    });

    const completedTwiceAtOnce = async (): Promise<string[]> => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      const { token } = await woken(one, 'ask');
      const answers = await Promise.all([under.machine.succeed(token, { next: 'guard' }), under.machine.succeed(token, { next: 'guard' })]);
      await finish(one, (await woken(one, 'guard')).token);
      return answers.sort();
    };
    testPromise(unkept, 'of two that complete a token at once one hears that it is gone', {
      kept: async () => expect(await completedTwiceAtOnce()).toEqual(['done', 'gone']),
      instead: async () => expect(await completedTwiceAtOnce()).toContain('done'),
    });

    const groupOfQuestion = async (): Promise<string | undefined> => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      const { token } = await woken(one, 'ask');
      const group = under.group();
      await finish(one, token);
      return group;
    };
    testPromise(unkept, 'a message of a state has the repository as its group', {
      kept: async () => expect(await groupOfQuestion()).toBe('4711'),
      instead: async () => expect(await groupOfQuestion()).toBeUndefined(),
    });

    test('a token that nobody gave out is gone', async () => {
      expect(await under.machine.succeed('no token at all', { next: 'done' })).toBe('gone');
    });

    test('an execution that has ended keeps its name', async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      await finish(one, (await woken(one, 'ask')).token);
      expect(await under.machine.start(one.name, one.input('ask'))).toBe('exists');
      expect(await under.left()).toEqual([]);
    });

    describe('a lost answer', () => {
      const heard = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: { code: string }) => error.code);

      test('of a start has started one execution, whatever its caller hears', async () => {
        const one = fresh();
        under.loseNext('start');
        expect(['started', 'exists', 'STORE_UNREACHABLE']).toContain(await heard(under.machine.start(one.name, one.input('ask'))));
        const { token } = await woken(one, 'ask');
        expect(await under.machine.start(one.name, one.input('guard'))).toBe('exists');
        await finish(one, token);
      });

      test('of a completed token has let its state go on once, whatever its caller hears', async () => {
        const one = fresh();
        await under.machine.start(one.name, one.input('ask'));
        const { token } = await woken(one, 'ask');
        under.loseNext('succeed');
        expect(['done', 'gone', 'STORE_UNREACHABLE']).toContain(await heard(under.machine.succeed(token, { next: 'guard' })));
        const next = await woken(one, 'guard');
        expect(await under.machine.succeed(token, { next: 'replan' })).toBe('gone');
        await finish(one, next.token);
      });
    });

    test('states entered later compare as later', async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      const first = await woken(one, 'ask');
      await under.machine.succeed(first.token, { next: 'ask', expiresSeconds: 60 });
      const second = await woken(one, 'ask');
      expect(second.entered >= first.entered).toBe(true);
      await finish(one, second.token);
    });

    test('an answer that names no step ends the execution, and nobody is asked', async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      expect(await under.machine.succeed((await woken(one, 'ask')).token, { next: 'sideways' })).toBe('done');
      await over(one);
    });

    const askedWithoutTime = async () => {
      const one = fresh();
      await under.machine.start(one.name, one.input('ask'));
      expect(await under.machine.succeed((await woken(one, 'ask')).token, { next: 'ask' })).toBe('done');
      return one;
    };
    testPromise(unkept, 'an answer that asks without a time ends the execution, and nobody is asked', {
      kept: async () => over(await askedWithoutTime()),
      async instead() {
        const one = await askedWithoutTime();
        await finish(one, (await woken(one, 'ask')).token);
      },
    });

    test.each(['guard', 'replan'])('a %s that nobody answers in its time ends the execution: nobody is told, and its token is gone', async (step) => {
      const one = fresh();
      await under.impatient.start(one.name, one.input(step));
      const { token } = await woken(one, step);
      under.pass(under.workSeconds);
      await over(one);
      expect(await under.impatient.succeed(token, { next: 'done' })).toBe('gone');
    });

    /** Two questions of as many seconds, the first of which is answered before the second is asked: its time is over when that one's is. */
    async function askedFor(seconds: number) {
      const [answered, unanswered] = [fresh(seconds), fresh(seconds)];
      await under.machine.start(answered.name, answered.input('ask'));
      expect(await under.machine.succeed((await woken(answered, 'ask')).token, { next: 'guard' })).toBe('done');
      const guard = await woken(answered, 'guard');
      await under.machine.start(unanswered.name, unanswered.input('ask'));
      const question = await woken(unanswered, 'ask');
      return { answered, guard, unanswered, question };
    }
    testPromise(unkept, 'a question that runs out is told to the controller, one answered in time is not, and its token is gone', {
      async kept() {
        // Long enough to be answered in, wherever it is asked.
        const { answered, guard, unanswered, question } = await askedFor(3);
        under.pass(3);
        expect(await under.sent()).toEqual({ format: 2, run: unanswered.run, group: '4711', step: 'expired' });
        expect(await under.machine.succeed(question.token, { next: 'guard' })).toBe('gone');
        await over(unanswered);
        await finish(answered, guard.token);
      },
      async instead() {
        const { answered, guard, unanswered, question } = await askedFor(under.workSeconds);
        // A guard that is given as long, later, and whose time-out is kept, tells that the question's time is over.
        const witness = fresh();
        await under.impatient.start(witness.name, witness.input('guard'));
        await woken(witness, 'guard');
        await over(witness);
        await finish(unanswered, question.token);
        await finish(answered, guard.token);
      },
    });
  });
}
