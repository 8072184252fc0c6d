import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a function's code sent to AWS, with what came back. */
export interface RecordedRequest {
  /** Entry of the function: `line-worker`; of a tool job, `plan-job` or `apply-job`. */
  readonly caller: string;
  /** The service its signature is for: `dynamodb`, `s3`, `states`. */
  readonly service: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

/**
 * Stands between the functions and the emulators. Each function is told an address of its own, so that the address says who
 * calls: nothing in the product knows of it, and what a process keeps per endpoint (clients, keys) is kept per function, as in AWS.
 */
export interface Recorder {
  /** Endpoint variables of one function. */
  variablesOf(entry: string): Record<string, string>;
  /** Where requests go from here on: the environment of the stack. */
  sendTo(environment: Readonly<Record<string, string>>): void;
  requests(): readonly RecordedRequest[];
  /** Requests that could not be passed on. */
  failures(): readonly unknown[];
  stop(): Promise<void>;
}

/** The service's name in a signature, and in the variable that names its endpoint. */
const services = {
  dynamodb: 'DYNAMODB',
  sqs: 'SQS',
  s3: 'S3',
  secretsmanager: 'SECRETS_MANAGER',
  ssm: 'SSM',
  events: 'EVENTBRIDGE',
  states: 'SFN',
  codebuild: 'CODEBUILD',
  sts: 'STS',
} as const;

const variableOf = (service: string): string => `AWS_ENDPOINT_URL_${services[service as keyof typeof services] ?? service.toUpperCase()}`;

export async function openRecorder(entries: readonly string[]): Promise<Recorder> {
  const recorded: RecordedRequest[] = [];
  const failures: unknown[] = [];
  let targets: Readonly<Record<string, string>> = {};

  const serve = (caller: string) =>
    createServer((message, response) => {
      pass(caller, message, response).catch((error: unknown) => {
        failures.push(error);
        response.destroy();
      });
    });

  async function pass(caller: string, message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(message);
    const service = serviceOf(message.headers);
    const target = targets[variableOf(service)];
    if (target === undefined) throw new Error(`${caller} calls ${service}, and the stack has no endpoint for it`);
    const answer = await forward(new URL(message.url ?? '/', target), message, body);
    const { method = 'GET', url = '/', headers } = message;
    recorded.push({ caller, service, method, url, headers, body: body.toString('utf8'), status: answer.statusCode ?? 0 });
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(await bytesOf(answer));
  }

  const servers = new Map(entries.map((entry) => [entry, serve(entry)]));
  for (const server of servers.values()) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    variablesOf(entry) {
      const server = servers.get(entry);
      if (server === undefined) throw new Error(`no function ${entry}`);
      const { port } = server.address() as AddressInfo;
      return Object.fromEntries(Object.keys(services).map((service) => [variableOf(service), `http://127.0.0.1:${port}`]));
    },
    sendTo: (environment) => {
      targets = environment;
    },
    requests: () => recorded,
    failures: () => failures,
    async stop() {
      for (const server of servers.values()) server.closeAllConnections();
      await Promise.all([...servers.values()].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** `AWS4-HMAC-SHA256 Credential=<key>/<day>/<region>/<service>/aws4_request, …` */
function serviceOf({ authorization = '' }: IncomingHttpHeaders): string {
  const [, service] = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(authorization) ?? [];
  if (service === undefined) throw new Error('a request without a signature of AWS');
  return service;
}

function forward(to: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(to, { method, headers: { ...headers, host: to.host } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
