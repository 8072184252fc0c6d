import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listening, listenOnLoopback } from '../http/loopback.ts';
import { readAll } from '../http/read-all.ts';
import { sendTo } from '../sample-clients.ts';
import { functionNamed, jobsFor, templateOf } from '../sample-template.ts';
import { type LocalStack, startLocalStack } from '../stack.ts';

interface Work {
  readonly pid: number;
  readonly body: string;
  readonly attempt: string;
  readonly function: string;
}

/** What the function has reported, and what the provider does with it before it answers. */
let works: Work[];
let meet: (work: Work) => void | Promise<void>;
let provider: Listening;
let stack: LocalStack;

async function start(timeoutSeconds: number): Promise<void> {
  stack = await startLocalStack({
    template: templateOf(functionNamed('Worker', { timeoutSeconds, variables: { PROVIDER: provider.url } }), jobsFor('Worker', { visibilitySeconds: 2 })),
    handlers: {},
    isolated: [{ entry: 'worker', module: join(import.meta.dirname, 'isolated.fixture.ts') }],
  });
}

beforeEach(async () => {
  works = [];
  meet = () => undefined;
  const server = createServer(async (request, response) => {
    const work = JSON.parse((await readAll(request)).toString()) as Work;
    works.push(work);
    await meet(work);
    response.end();
  });
  provider = await listenOnLoopback(server);
});
afterEach(async () => {
  await stack.stop();
  await provider.close();
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('an isolated function runs in a process of its own, with its variables, and that process is used again', async () => {
  await start(5);
  await sendTo(stack, 'Jobs', 'one');
  await stack.idle();
  await sendTo(stack, 'Jobs', 'two');
  await stack.idle();
  expect(works.map(({ body }) => body)).toEqual(['one', 'two']);
  expect(works[0]).toMatchObject({ function: 'lockkeeper-Worker', pid: stack.pid('worker') });
  expect(works[0]?.pid).not.toBe(process.pid);
  expect(works[1]?.pid).toBe(works[0]?.pid);
});

test('killed in the middle of its work, its message is delivered again, to a fresh process', async () => {
  await start(5);
  meet = ({ attempt }) => {
    if (attempt === '1') process.kill(stack.pid('worker') ?? 0, 'SIGKILL');
  };
  await sendTo(stack, 'Jobs', 'job');
  await stack.idle();
  expect(works.map(({ body, attempt }) => [body, attempt])).toEqual([
    ['job', '1'],
    ['job', '2'],
  ]);
  expect(works[1]?.pid).not.toBe(works[0]?.pid);
});

test('one that hangs past its time-out is killed', async () => {
  await start(1);
  const held = Promise.withResolvers<void>();
  meet = ({ attempt }) => (attempt === '1' ? held.promise : undefined);
  await sendTo(stack, 'Jobs', 'slow');
  await stack.idle();
  expect(works).toHaveLength(2);
  expect(isRunning(works[0]?.pid ?? 0)).toBe(false);
  held.resolve();
});
