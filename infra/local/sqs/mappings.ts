import { type Message, SQSClient } from '@aws-sdk/client-sqs';
import { pollerAgent } from '../data-plane/request-counts.ts';
import type { FunctionHost } from '../lambda/function-host.ts';
import type { LocalLog } from '../log.ts';
import { region } from '../template/place.ts';
import { failedOf, recordsOf } from './batch.ts';
import { createReceiver, type Receiver } from './receiver.ts';

export interface Mapping {
  readonly functionId: string;
  readonly queueName: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly fifo: boolean;
  /** Messages in one invocation, at most. */
  readonly batchSize: number;
  /** Invocations at a time, at most. */
  readonly maximumConcurrency: number;
  /** Whether the function's answer names the messages that failed. */
  readonly reportsFailures: boolean;
}

export interface Mappings {
  add(mapping: Mapping): void;
  start(sqsUrl: string): void;
  /** Names of the queues that feed a function. */
  fed(): readonly string[];
  /** No new batch is taken from here on; batches in work go on. */
  close(): void;
  /** Resolves when the pollers have ended. */
  ended(): Promise<void>;
}

/** Lambda's pollers: one loop per queue mapping. */
export function createMappings(functions: FunctionHost, log: LocalLog): Mappings {
  const mappings: Mapping[] = [];
  const loops: Promise<void>[] = [];
  let client: SQSClient | undefined;
  let closed = false;
  return {
    add: (mapping) => void mappings.push(mapping),
    fed: () => mappings.map((mapping) => mapping.queueName),
    start(sqsUrl) {
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      const own = new SQSClient({ endpoint: sqsUrl, region, credentials, customUserAgent: pollerAgent, maxAttempts: 1 });
      client = own;
      for (const mapping of mappings) loops.push(poll(mapping, createReceiver(own, mapping.queueUrl), functions, () => closed, log));
    },
    close: () => {
      closed = true;
    },
    async ended() {
      await Promise.all(loops);
      client?.destroy();
    },
  };
}

/** Takes no more messages than there are free invocations for, gives each batch to the function, and goes on at once. */
async function poll(mapping: Mapping, receiver: Receiver, functions: FunctionHost, closed: () => boolean, log: LocalLog): Promise<void> {
  const busy = new Set<Promise<void>>();
  const concurrency = mapping.fifo ? 1 : mapping.maximumConcurrency;
  while (!closed()) {
    if (busy.size >= concurrency) {
      await Promise.race(busy);
      continue;
    }
    const messages = await receiver.receive((concurrency - busy.size) * mapping.batchSize);
    if (closed()) {
      await receiver.giveBack(messages);
      break;
    }
    for (let start = 0; start < messages.length; start += mapping.batchSize) {
      const work = runBatch(mapping, messages.slice(start, start + mapping.batchSize), receiver, functions, log).finally(() => busy.delete(work));
      busy.add(work);
    }
  }
  await Promise.all(busy);
}

/** One invocation with one batch: what did not fail is deleted, the rest comes back when its visibility time-out ends. */
async function runBatch(mapping: Mapping, messages: readonly Message[], receiver: Receiver, functions: FunctionHost, log: LocalLog): Promise<void> {
  let failed: ReadonlySet<string>;
  try {
    const answer = await functions.invoke(mapping.functionId, { Records: recordsOf(messages, mapping.queueArn) });
    failed = mapping.reportsFailures ? failedOf(answer, messages, mapping.fifo) : new Set();
  } catch (error) {
    log(`${mapping.functionId}: a batch of ${mapping.queueName} failed`, error);
    return;
  }
  await receiver.remove(messages.filter((message) => !failed.has(message.MessageId ?? '')));
}
