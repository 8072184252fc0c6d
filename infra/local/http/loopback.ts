import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Closes the server and every connection it still has. */
  close(): Promise<void>;
}

/** Listens on the loopback interface alone; port 0 takes a free one. */
export async function listenOnLoopback(server: Server, port = 0): Promise<Listening> {
  server.keepAliveTimeout = 60_000; // longer than any client here keeps an idle connection, so that none is closed under a request
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
