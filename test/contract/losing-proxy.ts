import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the next request fails: performed and its answer lost, hung up on unperformed, or never answered. */
export type Loss = 'answer lost' | 'hung up' | 'never answered' | 'answered 500' | 'performed, answered 500';

export interface LosingProxy {
  readonly url: string;
  /** What happens to the next request that `matches`; the ones after it pass. */
  next(loss: Loss, matches?: (request: IncomingMessage) => boolean): void;
  stop(): Promise<void>;
}

/** Stands before an emulator and passes everything on as it is, but for the losses a test asks for. */
export async function losingProxy(target: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(target);
  const planned: { loss: Loss; matches: (request: IncomingMessage) => boolean }[] = [];

  const server = createServer((incoming, outgoing) => {
    const index = planned.findIndex((one) => one.matches(incoming));
    const loss = index < 0 ? undefined : planned.splice(index, 1)[0]?.loss;
    if (loss === 'never answered') return;
    if (loss === 'hung up') return void incoming.socket.destroy();
    if (loss === 'answered 500') return void answer500(incoming, outgoing);

    const passed = request({ hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
      if (loss === undefined) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      answer.resume().on('end', () => (loss === 'answer lost' ? incoming.socket.destroy() : answer500(incoming, outgoing)));
    });
    passed.on('error', () => incoming.socket.destroy());
    incoming.pipe(passed);
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (loss, matches = () => true) => void planned.push({ loss, matches }),
    stop: () => closed(server),
  };
}

function answer500(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: 'InternalServerError', message: 'planned by the test' }));
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
