import { setImmediate } from 'node:timers/promises';
import dynalite from 'dynalite';
import { type Listening, listenOnLoopback } from '../http/loopback.ts';
import type { RequestCounter } from './request-counts.ts';

/** DynamoDB's CreateTable input. */
export interface TableSpec {
  readonly TableName: string;
  readonly [property: string]: unknown;
}

export interface Tables {
  readonly url: string;
  readonly port: number;
  /** Creates the table unless it is there from an earlier start; resolves when it can be used. */
  create(spec: TableSpec): Promise<void>;
  stop(): Promise<void>;
}

/** DynamoDB on dynalite, in memory or in a folder (which no second process may open). */
export async function startTables(folder: string | undefined, port: number | undefined, counter: RequestCounter): Promise<Tables> {
  const server = dynalite({ ...(folder === undefined ? {} : { path: folder }), createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  server.on('request', (request) => counter.count('dynamodb', request));
  const listening = await listenOnLoopback(server, port);
  return {
    url: listening.url,
    port: listening.port,
    create: (spec) => createTable(listening, spec),
    stop: () => listening.close(),
  };
}

async function createTable({ url }: Listening, spec: TableSpec): Promise<void> {
  const created = await call(url, 'CreateTable', spec);
  if (created.status !== 200 && !created.text.includes('ResourceInUseException')) throw new Error(`table ${spec.TableName}: ${created.text}`);
  // A new table is CREATING for a tick, whatever the times above.
  while (!(await call(url, 'DescribeTable', { TableName: spec.TableName })).text.includes('"TableStatus":"ACTIVE"')) await setImmediate();
}

/** The emulator wants a signature header of the right shape and checks nothing in it. */
const unsigned = 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none';

async function call(url: string, operation: string, input: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20000101T000000Z',
      authorization: unsigned,
    },
    body: JSON.stringify(input),
  });
  return { status: response.status, text: await response.text() };
}
