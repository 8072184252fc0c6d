import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FunctionHost } from '../lambda/function-host.ts';
import type { LocalLog } from '../log.ts';
import { answerOf, eventOf } from './payload.ts';
import { readAll } from './read-all.ts';
import type { Routes } from './routes.ts';

/** The one local port behind which every HTTP API route and function URL lies. */
export function frontDoor(routes: Routes, functions: FunctionHost, log: LocalLog): Server {
  return createServer((request, response) => {
    serve(routes, functions, log, request, response).catch((error) => {
      log(`${request.method} ${request.url} failed`, error);
      if (!response.headersSent) send(response, 500, 'Internal Server Error');
    });
  });
}

async function serve(routes: Routes, functions: FunctionHost, log: LocalLog, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const match = routes.match(request.method ?? 'GET', url.pathname);
  if (!match) return send(response, 404, 'Not Found');
  const event = eventOf(request, url, await readAll(request), match, new Date());
  try {
    const { status, headers, body } = answerOf(await functions.invoke(match.functionId, event));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    log(`${match.functionId}: ${request.method} ${match.path} failed`, error);
    send(response, match.failureStatus, 'Internal Server Error');
  }
}

function send(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
