import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Incoming } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { LoggedRequest } from './log.ts';
import { broken } from './nonsense.ts';
import type { Provider, Rule } from './rule.ts';
import type { Fate } from './rulebook.ts';

/** What a provider's server needs of the cloud behind it. */
export interface Backend {
  readonly provider: Provider;
  /** Part of every URL that rules, logs and routes do not see: `/api/v2`. */
  readonly prefix: string;
  /** Numbers and logs the request. */
  arrive(method: string, path: string, query: string, body: string): LoggedRequest;
  /** Tells whoever wants to know that this request is never answered. */
  hangs(request: Incoming): void;
  /** Shows the exchange to whoever watches. */
  show(exchange: Exchange): void;
  /** The 401 this request deserves, if any. */
  refuse(request: Incoming): Answer | undefined;
  meet(method: string, path: string): Fate;
  /** False once the cloud is stopped: nothing is performed any more. */
  open(): boolean;
  /** Resolves when the request is let go: true to go on, false when the cloud has no use for it any more. */
  hold(): Promise<boolean>;
  /** Routes the request and changes the world. */
  perform(request: Incoming): Answer;
  /** The provider's error shape. */
  error(status: number, message: string, code?: string): Answer;
}

export interface Listening {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves one provider on a port of 127.0.0.1 (0: any free one). */
export async function serve(backend: Backend, port: number): Promise<Listening> {
  const server = createServer((message, response) => {
    exchange(backend, message, response).catch((error: unknown) => {
      // A client that hangs up while it sends is nobody's fault; anything else is a mistake in the fake and must be seen.
      if (message.destroyed && !message.complete) return;
      respond(response, backend.error(500, `the fake cloud broke: ${error instanceof Error ? error.message : String(error)}`));
    });
  });
  return listen(server, port, backend.prefix);
}

export async function listen(server: Server, port: number, prefix: string): Promise<Listening> {
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${given}${prefix}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function exchange(backend: Backend, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await read(backend, message);
  const entry = backend.arrive(request.method, request.path, request.query.toString(), request.text);
  const shown: Exchange = { provider: backend.provider, request };
  backend.show(shown);
  const answerWith = (answer: Answer): void => {
    shown.answer = answer;
    send(response, entry, answer);
  };
  const refusal = backend.refuse(request);
  if (refusal !== undefined) return answerWith(refusal);
  const { latencyMs, rule } = backend.meet(request.method, request.path);
  if (latencyMs > 0) await pause(latencyMs);
  if (rule?.hang) return backend.hangs(request);
  const goes = !rule?.hold || (await backend.hold());
  if (!goes || !backend.open()) return void response.socket?.destroy();
  if (rule?.reset) return void response.socket?.destroy();
  if (rule?.fail) return answerWith(failure(backend, rule.fail));
  // A client that has gone away is no reason not to do what it asked for: real providers do not notice either.
  const answer = backend.perform(request);
  entry.status = answer.status;
  entry.performed = answer.status < 400;
  if (rule?.kill !== undefined) process.kill(rule.kill, 'SIGKILL');
  if (rule?.kill !== undefined || rule?.drop) return void response.socket?.destroy();
  if (rule?.nonsense !== undefined) return send(response, entry, broken(answer, rule.nonsense));
  answerWith(answer);
}

async function read(backend: Backend, message: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(message.url ?? '/', 'http://sim');
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(message.headers)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  const path = url.pathname.startsWith(`${backend.prefix}/`) ? url.pathname.slice(backend.prefix.length) : url.pathname;
  return { method: message.method ?? 'GET', path, query: url.searchParams, headers, text, body: parsed(text), params: {} };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function failure(backend: Backend, fail: NonNullable<Rule['fail']>): Answer {
  const answer = backend.error(fail.status, fail.message ?? `the fake cloud was told to fail this request`, fail.code);
  return fail.retryAfter === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': String(fail.retryAfter) } };
}

function send(response: ServerResponse, entry: LoggedRequest, answer: Answer): void {
  entry.status = answer.status;
  respond(response, answer);
}

/** Writes an answer to a response: JSON unless it is raw; no body for 204 and 304. */
export function respond(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const empty = answer.status === 204 || answer.status === 304;
  const text = empty ? '' : (answer.raw ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
  const headers: Record<string, string> = { ...answer.headers };
  if (!empty) {
    headers['content-type'] = answer.type ?? 'application/json; charset=utf-8';
    headers['content-length'] = String(Buffer.byteLength(text));
  }
  response.writeHead(answer.status, headers).end(text);
}
