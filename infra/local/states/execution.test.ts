import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { approvalStates } from '../../approval-states.ts';
import { readDefinition } from './definition.ts';
import { type RunningExecution, startExecution } from './execution.ts';
import type { Message } from './integrations.ts';
import { createTaskTokens, type TaskTokens } from './task-tokens.ts';

const day = 86_400;
const definition = readDefinition('Approvals', JSON.stringify(approvalStates({ controlQueueUrl: 'http://queue', partition: 'aws' })));

interface Sent {
  readonly step: string;
  readonly token?: string;
  readonly [more: string]: unknown;
}

let tokens: TaskTokens;
let sent: Sent[];
let running: RunningExecution[];
/** What the queue does with a message; it takes it where the test says nothing else. */
let queue: (message: Message) => Promise<void>;

// The first execution of a process loads the runner from disk, which no fake clock brings about.
beforeAll(() => import('aws-local-stepfunctions'));
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 3, 9) });
  tokens = createTaskTokens();
  sent = [];
  running = [];
  queue = async () => undefined;
});
afterEach(async () => {
  for (const one of running) one.stop();
  await settled();
  expect(vi.getTimerCount()).toBe(0); // what has ended keeps no process alive
  vi.useRealTimers();
});

function start(input: object, states = definition): RunningExecution {
  const send = async (message: Message) => {
    sent.push(JSON.parse(message.body));
    await queue(message);
  };
  const execution = startExecution({ definition: states, tokens, send, now: Date.now }, 'run-1', input);
  running.push(execution);
  return execution;
}

/** Lets everything that needs no time happen. */
const settled = () => vi.advanceTimersByTimeAsync(0);

async function answer(output: object): Promise<boolean> {
  const done = tokens.complete(String(sent.at(-1)?.token), { output });
  await settled();
  return done;
}

const asked = { enter: 'ask', run: 'run-1', group: '4711', expiresSeconds: day };

describe('an execution of the approval flow', () => {
  test('sends what a controller needs to answer it, with a token of its own', async () => {
    start(asked);
    await settled();
    expect(sent).toEqual([
      {
        format: 2,
        run: 'run-1',
        group: '4711',
        step: 'ask',
        token: expect.stringMatching(/^local-task-/),
        entered: '2026-11-03T09:00:00.000Z#0',
        execution: 'run-1',
      },
    ]);
  });

  test('is asked, guarded, found stale, planned again, asked again, guarded and done', async () => {
    const execution = start(asked);
    await settled();
    for (const next of ['guard', 'replan', 'ask', 'guard']) expect(await answer({ next, expiresSeconds: day })).toBe(true);
    expect(execution.state().status).toBe('RUNNING');
    await answer({ next: 'done' });
    expect(sent.map(({ step }) => step)).toEqual(['ask', 'guard', 'replan', 'ask', 'guard']);
    expect(new Set(sent.map(({ token }) => token)).size).toBe(5);
    expect(sent.every(({ run, group }) => run === 'run-1' && group === '4711')).toBe(true);
    expect(execution.state()).toMatchObject({ status: 'SUCCEEDED', output: { next: 'done' } });
  });

  test('stands still while it waits for a token, and moves from the answer until the next message is sent', async () => {
    const execution = start(asked);
    expect(execution.moves()).toBe(true);
    await settled();
    expect(execution.moves()).toBe(false);
    tokens.complete(String(sent[0]?.token), { output: { next: 'guard' } });
    expect(execution.moves()).toBe(true);
    await settled();
    expect([sent.length, execution.moves()]).toEqual([2, false]);
    await answer({ next: 'done' });
    expect(execution.moves()).toBe(false);
  });

  test('keeps the states it enters, in order: what AWS counts as transitions', async () => {
    const execution = start(asked);
    await settled();
    await answer({ next: 'guard' });
    await answer({ next: 'done' });
    await execution.ended;
    expect(execution.state().entered).toEqual(['Enter', 'RequestApproval', 'Route', 'Guard', 'Route', 'Done']);
  });

  test('takes an answer that comes while the message is still being sent', async () => {
    queue = async () => void (sent.length === 1 && tokens.complete(String(sent[0]?.token), { output: { next: 'guard' } }));
    start(asked);
    await settled();
    expect(sent.map(({ step }) => step)).toEqual(['ask', 'guard']);
  });

  test('takes one answer for a token', async () => {
    start(asked);
    await settled();
    const { token = '' } = sent[0] as Sent;
    expect(await answer({ next: 'guard' })).toBe(true);
    expect(tokens.complete(token, { output: { next: 'done' } })).toBe(false);
    expect(sent.at(-1)?.step).toBe('guard');
  });

  test('fails with the error of whoever fails its task', async () => {
    const execution = start(asked);
    await settled();
    tokens.complete(String(sent[0]?.token), { error: 'Broken', cause: 'why' });
    await settled();
    expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'Broken', cause: 'why' });
  });

  test('fails at an answer that names no step', async () => {
    const execution = start(asked);
    await settled();
    await answer({ next: 'sideways' });
    expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'UnknownStep' });
  });
});

describe('a time-out', () => {
  test('of a question is told to the controller, and its token is gone', async () => {
    const execution = start(asked);
    await vi.advanceTimersByTimeAsync(day * 1000 - 1);
    expect(execution.state().status).toBe('RUNNING');
    await vi.advanceTimersByTimeAsync(1);
    expect(sent.at(-1)).toEqual({ format: 2, run: 'run-1', group: '4711', step: 'expired' });
    expect(execution.state().status).toBe('SUCCEEDED');
    expect(tokens.complete(String(sent[0]?.token), { output: { next: 'guard' } })).toBe(false);
  });

  test('of a question that is asked again is the one its answer brought', async () => {
    const execution = start({ ...asked, enter: 'replan' });
    await settled();
    await answer({ next: 'ask', expiresSeconds: 60 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.map(({ step }) => step)).toEqual(['replan', 'ask', 'expired']);
    expect(execution.state().status).toBe('SUCCEEDED');
  });

  test.each(['guard', 'replan'])('of %s is a day, and fails the execution', async (enter) => {
    const execution = start({ ...asked, enter });
    await vi.advanceTimersByTimeAsync(day * 1000 - 1);
    expect(execution.state().status).toBe('RUNNING');
    await vi.advanceTimersByTimeAsync(1);
    expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('longer than a timer can be does not happen at once', async () => {
    const execution = start({ ...asked, expiresSeconds: 60 * day });
    await vi.advanceTimersByTimeAsync(20 * day * 1000);
    expect(execution.state().status).toBe('RUNNING');
    expect(execution.moves()).toBe(false);
  });

  test.each([0, 1.5, 'soon'])('of %s seconds fails the execution', async (expiresSeconds) => {
    const execution = start({ ...asked, expiresSeconds });
    await settled();
    expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });
});

describe('a queue that does not take a message', () => {
  const busy = () => Object.assign(new Error('busy'), { name: 'SQS.AmazonSQSException' });

  test('is tried again with a new token, the later one in the order of entering', async () => {
    queue = async () => {
      if (sent.length === 1) throw busy();
    };
    const execution = start(asked);
    await vi.advanceTimersByTimeAsync(2000);
    const [first, second] = sent as [Sent, Sent];
    expect(second.token).not.toBe(first.token);
    expect(String(second['entered']) > String(first['entered'])).toBe(true);
    expect(tokens.complete(String(first.token), { output: {} })).toBe(false);
    expect(execution.moves()).toBe(false);
  });

  test('fails the execution when it never does', async () => {
    queue = async () => {
      throw busy();
    };
    const execution = start(asked);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'SQS.AmazonSQSException' });
    expect(sent).toHaveLength(5);
  });
});

describe('an execution that is stopped', () => {
  test('ends where it stands, and its token is gone', async () => {
    const execution = start(asked);
    await settled();
    execution.stop('Cancelled', 'by a person');
    await execution.ended;
    await settled();
    expect(execution.state()).toMatchObject({ status: 'ABORTED', error: 'Cancelled', cause: 'by a person', endedAt: Date.now() });
    expect(tokens.complete(String(sent[0]?.token), { output: { next: 'guard' } })).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test('while it sends goes no further', async () => {
    const sending = Promise.withResolvers<void>();
    queue = () => sending.promise;
    const execution = start(asked);
    await settled();
    execution.stop();
    await execution.ended;
    sending.resolve();
    await settled();
    expect([sent.length, execution.moves()]).toEqual([1, false]);
  });

  test('after its end stays as it ended', async () => {
    const execution = start(asked);
    await settled();
    await answer({ next: 'done' });
    execution.stop();
    expect(execution.state().status).toBe('SUCCEEDED');
  });
});

test('an execution that is stopped before it has begun sends nothing', async () => {
  const execution = start(asked);
  execution.stop();
  await execution.ended;
  expect([sent.length, execution.state().status]).toEqual([0, 'ABORTED']);
});

test('a task that waits for a token it does not send fails at once', async () => {
  const { Parameters, ...rest } = definition.States['Guard'] as { Parameters: Record<string, unknown>; Type: string };
  const silent = { ...definition, States: { ...definition.States, Guard: { ...rest, Parameters: { ...Parameters, MessageBody: 'no token' } } } };
  const execution = start({ ...asked, enter: 'guard' }, silent);
  await settled();
  expect(execution.state()).toMatchObject({ status: 'FAILED', error: 'States.Runtime', cause: expect.stringContaining('no task token') });
});
