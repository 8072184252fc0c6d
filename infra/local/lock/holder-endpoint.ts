import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Listening, listenOnLoopback } from '../http/loopback.ts';

/** What the holder of a folder offers to other commands on its port. */
export interface HolderEndpoint {
  readonly port: number;
  /** Gives variables to everybody who has asked or asks later. */
  share(environment: Readonly<Record<string, string>>): void;
  /** Commands attached now. */
  attached(): number;
  /** Lets no further command attach; resolves when none is attached any more. */
  alone(): Promise<void>;
  /** Ends the endpoint and whatever is still attached. */
  close(): Promise<void>;
}

/** Header that carries the token of the lock file. */
export const tokenHeader = 'x-lockkeeper-token';

/**
 * `GET /environment` answers the shared variables as JSON. `GET /attach` answers the same as one line and then stays open: as
 * long as the connection lives, the holder does. Both wait until there is something to share; 503 says that the holder is leaving.
 */
export async function openHolderEndpoint(token: string): Promise<HolderEndpoint> {
  const shared = Promise.withResolvers<string>();
  const attached = new Set<ServerResponse>();
  const alone = Promise.withResolvers<void>();
  let leaving = false;
  const leaveWhenAlone = () => {
    if (leaving && attached.size === 0) alone.resolve();
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers[tokenHeader] !== token) return refuse(response, 403, 'the token is not the one in the lock file');
    if (request.url === '/environment') return void response.writeHead(200, { 'content-type': 'application/json' }).end(await shared.promise);
    if (request.url !== '/attach') return refuse(response, 404, 'ask for /environment or /attach');
    if (leaving) return refuse(response, 503, 'the holder is leaving');
    attached.add(response);
    response.on('close', () => {
      attached.delete(response);
      leaveWhenAlone();
    });
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    response.write(`${await shared.promise}\n`);
  }

  const server: Server = createServer((request, response) => void serve(request, response));
  const listening: Listening = await listenOnLoopback(server);
  return {
    port: listening.port,
    share: (environment) => shared.resolve(JSON.stringify(environment)),
    attached: () => attached.size,
    alone() {
      leaving = true;
      leaveWhenAlone();
      return alone.promise;
    },
    close: () => listening.close(),
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
