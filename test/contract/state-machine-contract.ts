import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { controlMessage } from '../../events/control-message.ts';
import type { StateMachine } from '../../shared/ports/state-machine.ts';

export interface StateMachineUnderTest {
  readonly machine: StateMachine;
  /** Takes everything that the machine has sent, once nothing moves any more. */
  received(): Promise<unknown[]>;
  stop(): Promise<void>;
}

const waiting = z.object({ step: z.string(), token: z.string(), entered: z.string() });

/** What every implementation of the StateMachine port must do with the approval flow behind it (P7). */
export function stateMachineContract(name: string, start: () => Promise<StateMachineUnderTest>): void {
  describe(`the state machine on ${name}`, () => {
    let under: StateMachineUnderTest;
    let count = 0;

    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.stop());

    const fresh = (): string => `run-${++count}-1`;
    const input = (enter: string) => ({ enter, run: 'run-1', group: '4711', expiresSeconds: 3600 });

    /** The one message that the last move sent. */
    async function sent(): Promise<z.infer<typeof waiting>> {
      const messages = await under.received();
      expect(messages).toHaveLength(1);
      expect(controlMessage.parse(messages[0])).toMatchObject({ format: 2, run: 'run-1', group: '4711' });
      return waiting.parse(messages[0]);
    }

    test('a question is asked, guarded, planned again, asked again, guarded and done with', async () => {
      await under.machine.start(fresh(), input('ask'));
      const seen: string[] = [];
      for (const next of ['guard', 'replan', 'ask', 'guard', 'done']) {
        const { step, token } = await sent();
        seen.push(step);
        expect(await under.machine.succeed(token, { next, expiresSeconds: 3600 })).toBe('done');
      }
      expect(seen).toEqual(['ask', 'guard', 'replan', 'ask', 'guard']);
      expect(await under.received()).toEqual([]);
    });

    test.each(['guard', 'replan'])('an execution may enter at %s', async (enter) => {
      await under.machine.start(fresh(), input(enter));
      expect((await sent()).step).toBe(enter);
    });

    test('a name starts one execution, whatever the input is the second time', async () => {
      const name = fresh();
      expect(await under.machine.start(name, input('ask'))).toBe('started');
      expect(await under.machine.start(name, input('ask'))).toBe('exists');
      expect(await under.machine.start(name, input('guard'))).toBe('exists');
      expect((await sent()).step).toBe('ask');
    });

    test('a token is completed once, by whoever comes first', async () => {
      await under.machine.start(fresh(), input('ask'));
      const { token } = await sent();
      const answers = await Promise.all([under.machine.succeed(token, { next: 'guard' }), under.machine.succeed(token, { next: 'guard' })]);
      expect(answers.sort()).toEqual(['done', 'gone']);
      expect((await sent()).step).toBe('guard');
    });

    test('a token that nobody gave out is gone', async () => {
      expect(await under.machine.succeed('no token at all', { next: 'done' })).toBe('gone');
    });

    test('an execution that has ended keeps its name', async () => {
      const name = fresh();
      await under.machine.start(name, input('ask'));
      await under.machine.succeed((await sent()).token, { next: 'done' });
      expect(await under.received()).toEqual([]);
      expect(await under.machine.start(name, input('ask'))).toBe('exists');
    });

    test('states entered later compare as later', async () => {
      await under.machine.start(fresh(), input('ask'));
      const first = await sent();
      await under.machine.succeed(first.token, { next: 'ask', expiresSeconds: 60 });
      expect((await sent()).entered >= first.entered).toBe(true);
    });

    test.each([
      ['names no step', { next: 'sideways' }],
      ['asks without a time', { next: 'ask' }],
    ])('an answer that %s ends the execution, and nobody is asked', async (_, answer) => {
      await under.machine.start(fresh(), input('ask'));
      expect(await under.machine.succeed((await sent()).token, answer)).toBe('done');
      expect(await under.received()).toEqual([]);
    });
  });
}
