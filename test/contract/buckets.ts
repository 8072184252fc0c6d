import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { createRequestCounter } from '../../infra/local/data-plane/request-counts.ts';
import { listenOnLoopback } from '../../infra/local/http/loopback.ts';
import { openObjectStore } from '../../infra/local/s3/object-store.ts';
import { s3Server } from '../../infra/local/s3/s3-server.ts';
import { deleteBucket } from '../localstack/clear.ts';
import { emulated } from './endpoints.ts';

/** A versioned bucket on the embedded stack's S3 endpoint. */
export async function startBucket(): Promise<{ url: string; name: string; stop(): Promise<void> }> {
  const name = 'contract';
  const store = openObjectStore();
  store.createBucket(name, true);
  const listening = await listenOnLoopback(s3Server(store, createRequestCounter()));
  return { url: listening.url, name, stop: listening.close };
}

/** A versioned bucket at an endpoint, removed afterwards with all that lies in it. */
export async function bucketAt(endpoint: string): Promise<{ url: string; name: string; stop(): Promise<void> }> {
  const name = `contract-${randomUUID()}`;
  const client = new S3Client({ endpoint, forcePathStyle: true, region: emulated.AWS_REGION });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  await client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }));
  return { url: endpoint, name, stop: () => deleteBucket(client, name).finally(() => client.destroy()) };
}
