import { Worker } from 'node:worker_threads';
import { programBeside } from '../program.ts';
import type { QueueDepth } from './queues.ts';
import type { RequestCounts } from './request-counts.ts';
import type { TableSpec } from './tables.ts';

export interface DataPlaneSettings {
  /** Folders that keep the data; in memory when absent. */
  readonly tableFolder?: string;
  readonly queueFolder?: string;
  readonly ports: { readonly dynamodb?: number; readonly sqs?: number };
}

export interface Request {
  readonly id: number;
  readonly call: 'createTable' | 'createQueue' | 'send' | 'depths' | 'endPolls' | 'counts' | 'resetCounts' | 'stop';
  readonly args: readonly unknown[];
}

export interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Table and queues in a thread of their own: the emulators and the functions each use a processor core. */
export interface DataPlane {
  readonly dynamodb: string;
  readonly sqs: string;
  createTable(spec: TableSpec): Promise<void>;
  createQueue(name: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  send(queueName: string, body: string): Promise<void>;
  depths(): Promise<Readonly<Record<string, QueueDepth>>>;
  endPolls(): Promise<void>;
  counts(): Promise<RequestCounts>;
  resetCounts(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the thread; resolves when both endpoints listen. A thread that dies rejects this and every later call. */
export async function startDataPlane(settings: DataPlaneSettings): Promise<DataPlane> {
  const worker = new Worker(programBeside(import.meta.url, 'thread.ts', 'data-plane-thread.mjs'), {
    workerData: settings,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'], // the queues' persistence is node:sqlite
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let death: Error | undefined;

  const expect = (id: number): Promise<unknown> => {
    const reply = Promise.withResolvers<unknown>();
    if (death) reply.reject(death);
    else waiting.set(id, reply);
    return reply.promise;
  };
  const die = (error: Error): void => {
    death ??= error;
    for (const reply of waiting.values()) reply.reject(death);
    waiting.clear();
  };
  worker.on('message', ({ id, value, error }: Reply) => {
    const reply = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) reply?.resolve(value);
    else reply?.reject(error);
  });
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => die(new Error(`the data plane has ended with code ${code}`)));

  const call = <T>(name: Request['call'], ...args: unknown[]): Promise<T> => {
    last += 1;
    const reply = expect(last);
    worker.postMessage({ id: last, call: name, args } satisfies Request);
    return reply as Promise<T>;
  };
  const endpoints = (await expect(0)) as { dynamodb: string; sqs: string };
  return {
    ...endpoints,
    createTable: (spec) => call('createTable', spec),
    createQueue: (name, attributes) => call('createQueue', name, attributes),
    send: (queueName, body) => call('send', queueName, body),
    depths: () => call('depths'),
    endPolls: () => call<void>('endPolls').catch(() => undefined),
    counts: () => call('counts'),
    resetCounts: () => call('resetCounts'),
    async stop() {
      await call('stop').catch(() => undefined); // a thread that is dead has stopped
      await worker.terminate();
    },
  };
}
