import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readAll } from '../http/read-all.ts';

/** An answer the SDK turns into an exception of that name. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One operation: parsed input to output. */
export type Operation = (input: unknown) => unknown;

/** Takes a request that is none of the JSON protocol; false: it is not for this one either. */
export type OtherProtocol = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves operations of AWS's JSON protocol, named as in the header `x-amz-target`: `secretsmanager.GetSecretValue`. */
export function jsonService(operations: Readonly<Record<string, Operation>>, other: OtherProtocol): Server {
  return createServer((request, response) => void (other(request, response) || answer(operations, request, response)));
}

async function answer(operations: Readonly<Record<string, Operation>>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const target = String(request.headers['x-amz-target'] ?? '');
    const body = (await readAll(request)).toString();
    const operation = Object.hasOwn(operations, target) ? operations[target] : undefined;
    if (!operation) throw new ServiceError('UnknownOperationException', `${target || 'a request without a target'} is not served here`);
    send(response, 200, operation(body === '' ? {} : JSON.parse(body)));
  } catch (thrown) {
    const code = thrown instanceof ServiceError ? thrown.code : 'ValidationException';
    send(response, 400, { __type: code, message: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() }).end(JSON.stringify(body ?? {}));
}
