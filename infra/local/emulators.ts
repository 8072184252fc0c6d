import { join } from 'node:path';
import { buildOperations } from './aws/build-operations.ts';
import { jsonService } from './aws/json-service.ts';
import { eventOperations, parameterOperations, secretOperations } from './aws/operations.ts';
import { roleService } from './aws/role-service.ts';
import { stateOperations } from './aws/state-operations.ts';
import type { Builds } from './builds/builds.ts';
import { type DataPlane, startDataPlane } from './data-plane/data-plane.ts';
import { createRequestCounter, type RequestCounter } from './data-plane/request-counts.ts';
import type { Bus } from './events/bus.ts';
import { listenOnLoopback } from './http/loopback.ts';
import type { LocalStackOptions } from './options.ts';
import { folderJournal } from './s3/journal.ts';
import { type ObjectStore, openObjectStore } from './s3/object-store.ts';
import { s3Server } from './s3/s3-server.ts';
import { openVault, type Vault } from './secrets/vault.ts';
import type { Machines } from './states/machines.ts';

/** The services of AWS that function code calls. */
export interface Emulators {
  readonly dataPlane: DataPlane;
  readonly objects: ObjectStore;
  readonly vault: Vault;
  /** Requests that arrive in this thread: S3, secrets, events, executions, builds, roles. */
  readonly counter: RequestCounter;
  readonly urls: { readonly s3: string; readonly aws: string };
  readonly ports: { readonly s3: number; readonly aws: number };
  stop(): Promise<void>;
}

/** Starts them, in memory or below the folder of the options. `bus` receives what is put on an event bus, `machines` and `builds` run what is started. */
export async function startEmulators(
  { folder, ports = {}, secrets = {} }: LocalStackOptions,
  bus: Bus,
  machines: Machines,
  builds: Builds,
): Promise<Emulators> {
  const counter = createRequestCounter();
  const vault = openVault(folder === undefined ? undefined : join(folder, 'secrets.json'));
  for (const [name, value] of Object.entries(secrets)) vault.write('secret', name, value);
  const objects = openObjectStore(folder === undefined ? undefined : folderJournal(join(folder, 'bucket')));
  const operations = {
    ...secretOperations(vault),
    ...parameterOperations(vault),
    ...eventOperations(bus),
    ...stateOperations(machines),
    ...buildOperations(builds),
  };
  const aws = jsonService(operations, roleService).on('request', (request) => counter.count('aws', request));

  const [dataPlane, s3Listening, awsListening] = await Promise.all([
    startDataPlane({ ...(folder === undefined ? {} : { tableFolder: join(folder, 'table'), queueFolder: join(folder, 'queues') }), ports }),
    listenOnLoopback(s3Server(objects, counter), ports.s3),
    listenOnLoopback(aws, ports.aws),
  ]);
  return {
    dataPlane,
    objects,
    vault,
    counter,
    urls: { s3: s3Listening.url, aws: awsListening.url },
    ports: { s3: s3Listening.port, aws: awsListening.port },
    async stop() {
      await Promise.all([s3Listening.close(), awsListening.close(), dataPlane.stop()]);
    },
  };
}
