import { parentPort, workerData } from 'node:worker_threads';
import type { DataPlaneSettings, Reply, Request } from './data-plane.ts';
import { startQueues } from './queues.ts';
import { createRequestCounter } from './request-counts.ts';
import { startTables } from './tables.ts';

/** Program of the data plane's thread: table and queues on a processor core of their own. */
const port = parentPort;
if (!port) throw new Error('the data plane runs as a thread');

// dynalite throws when a client goes away in the middle of a request, as a killed function does; the next request is fine.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ECONNRESET') throw error;
});

const settings = workerData as DataPlaneSettings;
const counter = createRequestCounter();
const [tables, queues] = await Promise.all([
  startTables(settings.tableFolder, settings.ports.dynamodb, counter),
  startQueues(settings.queueFolder, settings.ports.sqs, counter),
]);

const calls: Readonly<Record<Request['call'], (...args: never[]) => unknown>> = {
  createTable: tables.create,
  createQueue: queues.create,
  send: queues.send,
  depths: queues.depths,
  endPolls: queues.endPolls,
  counts: counter.counts,
  resetCounts: counter.reset,
  stop: () => Promise.all([tables.stop(), queues.stop()]).then(() => undefined),
};

async function serve({ id, call, args }: Request): Promise<Reply> {
  try {
    return { id, value: await calls[call](...(args as never[])) };
  } catch (error) {
    return { id, error };
  }
}

port.on('message', (request: Request) => {
  void serve(request).then((reply) => {
    port.postMessage(reply);
    if (request.call === 'stop') port.close();
  });
});
port.postMessage({ id: 0, value: { dynamodb: tables.url, sqs: queues.url } } satisfies Reply);
