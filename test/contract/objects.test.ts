import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { s3Reads, s3Writes } from '../../shared/platform/clients.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryObjects } from '../ports/memory-objects.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { startBucket } from './local-bucket.ts';
import { losingProxy } from './losing-proxy.ts';
import { objectsContract } from './objects-contract.ts';

objectsContract('memory', async () => ({ objects: memoryObjects().objects, stop: async () => {} }));

objectsContract('the embedded stack', async () => {
  const bucket = await startBucket();
  return { objects: objectsAt(bucket.url, bucket.name), stop: bucket.stop };
});

for (const { name: endpointName, url: endpoint } of deployedEndpoints) {
  objectsContract(endpointName, async () => {
    const name = `contract-${Date.now()}`;
    const client = new S3Client({ endpoint, forcePathStyle: true, region: emulated.AWS_REGION });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    await client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }));
    return { objects: objectsAt(endpoint, name), stop: async () => client.destroy() };
  });
}

describe('a put to S3 whose answer is lost', () => {
  async function withLosses<T>(use: (objects: ReturnType<typeof objectsAt>, proxy: Awaited<ReturnType<typeof losingProxy>>) => Promise<T>): Promise<void> {
    const bucket = await startBucket();
    const proxy = await losingProxy(bucket.url);
    try {
      await use(objectsAt(proxy.url, bucket.name), proxy);
    } finally {
      await proxy.stop();
      await bucket.stop();
    }
  }
  const isPut = ({ method }: { method?: string | undefined }) => method === 'PUT';

  test('is recognised as our own', () =>
    withLosses(async (objects, proxy) => {
      proxy.next('answer lost', isPut);
      const put = await objects.put('a.json', 'ours', { ifAbsent: true });
      expect({ stored: true, ...(await objects.get('a.json')) }).toEqual({ ...put, body: 'ours' });
      expect(await objects.versions('a.json')).toHaveLength(1);

      proxy.next('performed, answered 500', isPut);
      expect(await objects.put('a.json', 'ours too', { ifMatch: put.stored ? put.etag : '' })).toMatchObject({ stored: true });
      expect(await objects.versions('a.json')).toHaveLength(2);
    }));

  test('is sent again when it never arrived', () =>
    withLosses(async (objects, proxy) => {
      proxy.next('hung up', isPut);
      proxy.next('answered 500', isPut);
      expect(await objects.put('a.json', 'ours', { ifAbsent: true })).toMatchObject({ stored: true });
      expect(await objects.versions('a.json')).toHaveLength(1);
    }));

  test('is not taken for ours when somebody else was first', () =>
    withLosses(async (objects, proxy) => {
      await objects.put('a.json', 'theirs', { ifAbsent: true });
      proxy.next('answer lost', isPut);
      expect(await objects.put('a.json', 'ours', { ifAbsent: true })).toEqual({ stored: false });
    }));

  test('ends as an unreachable store when no attempt is answered', () =>
    withLosses(async (objects, proxy) => {
      for (let attempt = 0; attempt < 4; attempt++) proxy.next('answered 500', isPut);
      await expect(objects.put('a.json', 'ours', { ifAbsent: true })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    }));
});

function objectsAt(endpoint: string, bucket: string) {
  const environment = { ...emulated, AWS_ENDPOINT_URL_S3: endpoint };
  return s3Objects({ bucket, writes: s3Writes(environment), reads: s3Reads(environment), clock: manualClock() });
}
