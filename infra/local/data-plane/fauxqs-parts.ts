import type { Server } from 'node:http';

/** One queue of the emulator, as far as it is touched here. */
export interface EmulatedQueue {
  setAttributes(attributes: Record<string, string>): void;
  enqueue(message: unknown): void;
  processTimers(): void;
  cancelWaiters(): void;
  inspectMessages(): { ready: unknown[]; delayed: unknown[]; inflight: unknown[] };
}

export interface QueueStore {
  persistence?: Persistence;
  createQueue(name: string, url: string, arn: string, attributes: Record<string, string>): EmulatedQueue;
  getQueueByName(name: string): (EmulatedQueue & { persistence?: Persistence }) | undefined;
  allQueues(): Iterable<EmulatedQueue & { readonly name: string; persistence?: Persistence }>;
}

export interface Persistence {
  loadSqsAndSns(queues: QueueStore, topics: unknown): void;
  close(): void;
}

interface EmulatorApp {
  readonly server: Server;
  ready(): Promise<unknown>;
  close(): Promise<void>;
}

/** The emulator's parts, put together here because its own `startFauxqs` listens on every interface of the machine. */
export interface EmulatorParts {
  readonly store: QueueStore;
  readonly topics: unknown;
  readonly app: EmulatorApp;
  openPersistence(folder: string): Persistence;
  message(body: string): unknown;
}

/**
 * Loads the emulator. Its package exports one module; the parts lie beside that one (version pinned in package.json).
 */
export async function loadEmulator(): Promise<EmulatorParts> {
  const main = import.meta.resolve('fauxqs');
  const part = (file: string): Promise<Record<string, unknown>> => import(new URL(file, main).href);
  const [{ buildApp }, { SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await Promise.all([
    part('app.js'),
    part('sqs/sqsStore.js'),
    part('sns/snsStore.js'),
    part('s3/s3Store.js'),
    part('persistence.js'),
  ]);
  const queueStore = SqsStore as { new (): QueueStore; createMessage(body: string): unknown };
  const store = new queueStore();
  const topics = construct(SnsStore);
  const build = buildApp as (options: unknown) => EmulatorApp;
  const app = build({ logger: false, stores: { sqsStore: store, snsStore: topics, s3Store: construct(S3Store) } });
  return {
    store,
    topics,
    app,
    openPersistence: (folder) => construct(PersistenceManager, folder) as Persistence,
    message: (body) => queueStore.createMessage(body),
  };
}

const construct = (made: unknown, ...args: unknown[]): unknown => new (made as new (...args: unknown[]) => unknown)(...args);
