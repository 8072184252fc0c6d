import type { IncomingMessage } from 'node:http';

/** The whole body of a request, as the bytes that were sent. */
export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
