import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { tokenHeader } from './holder-endpoint.ts';
import type { LockRecord } from './lock-record.ts';

/** The use of a folder that another process holds. */
export interface Attachment {
  /** The holder's endpoints: the ordinary SDK clients work with them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the attachment; the holder may leave. */
  detach(): void;
}

/** Attaches to a holder; undefined when it is leaving or gone, and the folder can be asked for again. */
export async function attach({ port, token }: LockRecord): Promise<Attachment | undefined> {
  const request = get({ host: '127.0.0.1', port, path: '/attach', headers: { [tokenHeader]: token }, agent: false });
  request.on('error', () => undefined); // no answer says the same
  const response = await answered(request);
  if (response?.statusCode !== 200) {
    request.destroy();
    return undefined;
  }
  const line = await firstLine(response);
  if (line === undefined) return undefined;
  return { environment: z.record(z.string(), z.string()).parse(JSON.parse(line)), detach: () => request.destroy() };
}

/** Reads on afterwards, so that the connection stays; one that breaks (the holder is gone) is told by the next request to its endpoints. */
function firstLine(response: IncomingMessage): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let text = '';
  response
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      text += chunk;
      if (chunk.endsWith('\n')) resolve(text);
    })
    .on('error', () => resolve(undefined))
    .on('close', () => resolve(undefined));
  return promise;
}

async function answered(request: ClientRequest): Promise<IncomingMessage | undefined> {
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  } catch {
    return undefined;
  }
}
