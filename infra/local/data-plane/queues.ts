import { mkdirSync } from 'node:fs';
import { listenOnLoopback } from '../http/loopback.ts';
import { account, arn } from '../template/place.ts';
import { type EmulatorParts, loadEmulator } from './fauxqs-parts.ts';
import type { RequestCounter } from './request-counts.ts';

/** Messages of one queue: to be received now, received and not deleted, and not due yet. */
export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface Queues {
  readonly url: string;
  readonly port: number;
  /** Creates the queue, or gives the one of an earlier start these attributes; its messages stay. */
  create(name: string, attributes: Record<string, string>): void;
  send(name: string, body: string): void;
  depths(): Record<string, QueueDepth>;
  /** Lets every waiting long poll answer at once, empty. */
  endPolls(): void;
  stop(): Promise<void>;
}

/** SQS on fauxqs, in memory or in a folder. */
export async function startQueues(folder: string | undefined, port: number | undefined, counter: RequestCounter): Promise<Queues> {
  const emulator = await loadEmulator();
  const persistence = folder === undefined ? undefined : restore(emulator, folder);
  const { app, store } = emulator;
  await app.ready();
  app.server.on('request', (request) => counter.count('sqs', request));
  const listening = await listenOnLoopback(app.server, port);
  return {
    url: listening.url,
    port: listening.port,
    create(name, attributes) {
      const known = store.getQueueByName(name);
      if (known) known.setAttributes({ RedrivePolicy: '', ...attributes });
      else store.createQueue(name, `${listening.url}/${account}/${name}`, arn('sqs', name), attributes);
    },
    send: (name, body) => store.getQueueByName(name)?.enqueue(emulator.message(body)),
    depths: () => Object.fromEntries([...store.allQueues()].map((queue) => [queue.name, depthOf(queue)])),
    endPolls() {
      for (const queue of store.allQueues()) queue.cancelWaiters();
    },
    async stop() {
      await listening.close();
      await app.close();
      persistence?.close();
    },
  };
}

function depthOf(queue: { processTimers(): void; inspectMessages(): { ready: unknown[]; delayed: unknown[]; inflight: unknown[] } }): QueueDepth {
  queue.processTimers(); // moves what has become due; otherwise only a receive does
  const { ready, inflight, delayed } = queue.inspectMessages();
  return { visible: ready.length, inFlight: inflight.length, delayed: delayed.length };
}

/** Loads what an earlier start left *before* the store writes through, since a write-through of a loaded queue drops its messages. */
function restore({ store, topics, openPersistence }: EmulatorParts, folder: string): { close(): void } {
  mkdirSync(folder, { recursive: true });
  const persistence = openPersistence(folder);
  persistence.loadSqsAndSns(store, topics);
  store.persistence = persistence;
  for (const queue of store.allQueues()) queue.persistence = persistence;
  return persistence;
}
