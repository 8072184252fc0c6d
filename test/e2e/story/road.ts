import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came of a request that was held on the road. */
export interface Arrival {
  readonly status: number;
  readonly body: string;
}

/** The workers' way to the table: every request passes, but for one that may be held up and arrive late, whoever sent it being dead by then. */
export interface Road {
  readonly url: string;
  /** Where the road leads. */
  leadTo(endpoint: string): void;
  /** Holds the next request whose body matches. Resolves when it is there. */
  hold(matches: (body: string) => boolean): Promise<void>;
  /** Lets the held request go on to the table, and returns the table's answer. */
  release(): Promise<Arrival>;
  close(): Promise<void>;
}

interface Passage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export async function openRoad(): Promise<Road> {
  let endpoint = '';
  let barrier: { readonly matches: (body: string) => boolean; readonly arrived: () => void } | undefined;
  let held: Passage | undefined;

  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const passage = { headers: request.headers, body };
      if (barrier?.matches(body)) {
        held = passage;
        barrier.arrived();
        barrier = undefined;
        return;
      }
      try {
        const { status, headers, text } = await pass(endpoint, passage);
        response.writeHead(status, headers).end(text);
      } catch {
        response.destroy(); // the table is gone: the sender sees a broken connection, as it would
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (to) => {
      endpoint = to;
    },
    hold: (matches) =>
      new Promise((arrived) => {
        barrier = { matches, arrived };
      }),
    async release() {
      if (!held) throw new Error('no request is held on the road');
      const { status, text } = await pass(endpoint, held);
      held = undefined;
      return { status, body: text };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const hopByHop = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

async function pass(endpoint: string, { headers, body }: Passage): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const forwarded = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' && !hopByHop.has(name) ? [[name, value] as const] : []));
  const answer = await fetch(endpoint, { method: 'POST', headers: Object.fromEntries(forwarded), body });
  const kept = [...answer.headers].filter(([name]) => !hopByHop.has(name) && name !== 'content-encoding');
  return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
