import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedRequest {
  /** `GetSecretValue`, `SendMessageBatch`, … */
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

export interface ScriptedEndpoint {
  readonly url: string;
  readonly requests: ScriptedRequest[];
  stop(): Promise<void>;
}

/** An AWS endpoint of the JSON protocol that answers what the test says: `status` 200 with a body, or an error by its type. */
export async function scriptedEndpoint(answer: (request: ScriptedRequest) => { status?: number; body: unknown }): Promise<ScriptedEndpoint> {
  const requests: ScriptedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const request = { operation, input: JSON.parse(Buffer.concat(pieces).toString()) };
    requests.push(request);
    const { status = 200, body } = answer(request);
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
