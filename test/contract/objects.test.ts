import { describe, expect, test } from 'vitest';
import { s3Reads, s3Writes } from '../../shared/platform/clients.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryObjects } from '../ports/memory-objects.ts';
import { bucketAt, startBucket } from './buckets.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { type LosingProxy, losingProxy } from './losing-proxy.ts';
import { objectsContract } from './objects-contract.ts';

interface Place {
  readonly url: string;
  readonly name: string;
  stop(): Promise<void>;
}

const places: { readonly at: string; readonly open: () => Promise<Place> }[] = [
  { at: 'the embedded stack', open: startBucket },
  ...deployedEndpoints.map(({ name, url }) => ({ at: name, open: () => bucketAt(url) })),
];

/** The adapter to a bucket, behind a proxy that loses answers. */
async function behindProxy(open: () => Promise<Place>) {
  const bucket = await open();
  const proxy = await losingProxy(bucket.url);
  return { proxy, objects: objectsAt(proxy.url, bucket.name), stop: () => proxy.stop().then(bucket.stop) };
}

const isPut = ({ method }: { method?: string | undefined }) => method === 'PUT';

objectsContract('memory', async () => {
  const { objects, faults } = memoryObjects();
  const loseNextPut = (effect: 'done' | 'never') => faults.loseAnswer(({ op }) => op === 'put', effect);
  return { objects, loseNextPut, afterLoss: 'STORE_UNREACHABLE', stop: async () => {} };
});

for (const { at, open } of places) {
  objectsContract(at, async () => {
    const { objects, proxy, stop } = await behindProxy(open);
    return { objects, loseNextPut: (effect) => proxy.next(effect === 'done' ? 'answer lost' : 'hung up', isPut), afterLoss: 'stored', stop };
  });
}

describe.each(places)('a put to S3 on $at whose answer is lost', ({ open }) => {
  async function withLosses(use: (objects: ReturnType<typeof objectsAt>, proxy: LosingProxy) => Promise<void>): Promise<void> {
    const { objects, proxy, stop } = await behindProxy(open);
    await use(objects, proxy).finally(stop);
  }

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
