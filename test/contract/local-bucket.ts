import { createRequestCounter } from '../../infra/local/data-plane/request-counts.ts';
import { listenOnLoopback } from '../../infra/local/http/loopback.ts';
import { openObjectStore } from '../../infra/local/s3/object-store.ts';
import { s3Server } from '../../infra/local/s3/s3-server.ts';

/** A versioned bucket on the embedded stack's S3 endpoint. */
export async function startBucket(): Promise<{ url: string; name: string; stop(): Promise<void> }> {
  const name = 'contract';
  const store = openObjectStore();
  store.createBucket(name, true);
  const listening = await listenOnLoopback(s3Server(store, createRequestCounter()));
  return { url: listening.url, name, stop: listening.close };
}
