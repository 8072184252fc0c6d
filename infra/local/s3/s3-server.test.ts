import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRequestCounter } from '../data-plane/request-counts.ts';
import { type Listening, listenOnLoopback } from '../http/loopback.ts';
import { folderJournal } from './journal.ts';
import { openObjectStore } from './object-store.ts';
import { s3Server } from './s3-server.ts';

const Bucket = 'objects';
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-s3-'));
let listening: Listening;
let client: S3Client;
/** How each request's body was encoded. */
let encodings: (string | undefined)[];

/** Opens the folder as a start of the stack does. */
async function open(): Promise<void> {
  encodings = [];
  const store = openObjectStore(folderJournal(folder));
  store.createBucket(Bucket, true);
  const server = s3Server(store, createRequestCounter()).on('request', ({ headers }) => encodings.push(headers['content-encoding']));
  listening = await listenOnLoopback(server);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new S3Client({ endpoint: listening.url, region: 'us-east-1', credentials, maxAttempts: 1 });
}

async function close(): Promise<void> {
  client.destroy();
  await listening.close();
}

beforeEach(open);
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const put = (Key: string, Body: string | Readable, extra: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...extra }));
const textOf = async (Key: string, VersionId?: string) => (await client.send(new GetObjectCommand({ Bucket, Key, VersionId }))).Body?.transformToString();
const versionsOf = async (Prefix: string) => (await client.send(new ListObjectVersionsCommand({ Bucket, Prefix }))).Versions ?? [];

describe('preconditions', () => {
  test('create only: the second put is refused with 412 and changes nothing', async () => {
    await put('a', 'first', { IfNoneMatch: '*' });
    await expect(put('a', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } });
    expect(await textOf('a')).toBe('first');
  });

  test('of 50 puts at once that create only, one wins', async () => {
    const puts = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => put('race', `${index}`, { IfNoneMatch: '*' })));
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await versionsOf('race')).toHaveLength(1);
  });

  test('compare and swap: a put goes through over the ETag it names and over no other', async () => {
    const { ETag = '' } = await put('a', 'one');
    await put('a', 'two', { IfMatch: ETag });
    await expect(put('a', 'three', { IfMatch: ETag })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(await textOf('a')).toBe('two');
  });

  test('compare and swap over nothing is NoSuchKey', async () => {
    await expect(put('absent', 'x', { IfMatch: '"abc"' })).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('a deleted object can be created again', async () => {
    await put('a', 'first', { IfNoneMatch: '*' });
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    await put('a', 'again', { IfNoneMatch: '*' });
    expect(await textOf('a')).toBe('again');
  });
});

describe('versions', () => {
  test('every put makes one, listed newest first, and each can be read', async () => {
    const first = await put('a', 'one');
    const second = await put('a', 'two');
    expect((await versionsOf('a')).map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
      [second.VersionId, true],
      [first.VersionId, false],
    ]);
    expect(await textOf('a', first.VersionId)).toBe('one');
  });

  test('a delete leaves a marker: the object is gone and its versions are not', async () => {
    const { VersionId } = await put('a', 'one');
    const deleted = await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    expect(deleted.DeleteMarker).toBe(true);
    await expect(textOf('a')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await textOf('a', VersionId)).toBe('one');
    expect((await client.send(new ListObjectVersionsCommand({ Bucket }))).DeleteMarkers).toMatchObject([{ Key: 'a', IsLatest: true }]);
  });

  test('deleting the marker brings the object back; deleting a version removes it for good', async () => {
    const { VersionId } = await put('a', 'one');
    const marker = await client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: marker.VersionId }));
    expect(await textOf('a')).toBe('one');
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId }));
    expect(await versionsOf('a')).toEqual([]);
  });

  async function* paginate(): AsyncGenerator<string[]> {
    let markers: Pick<ListObjectVersionsCommandOutput, 'NextKeyMarker' | 'NextVersionIdMarker'> | undefined = {};
    while (markers) {
      const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = markers;
      const page: ListObjectVersionsCommandOutput = await client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 2, KeyMarker, VersionIdMarker }));
      yield (page.Versions ?? []).map(({ VersionId }) => VersionId ?? '');
      markers = page.IsTruncated ? page : undefined;
    }
  }

  test('a list in pages shows every version once', async () => {
    for (const Key of ['a', 'a', 'a', 'b', 'b']) await put(Key, 'x');
    const seen: string[] = [];
    for await (const page of paginate()) seen.push(...page);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });
});

describe('bodies', () => {
  test('content type and metadata come back', async () => {
    await put('a', '{}', { ContentType: 'application/json', Metadata: { run: '7' } });
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'a' }));
    expect(head).toMatchObject({ ContentType: 'application/json', ContentLength: 2, Metadata: { run: '7' } });
  });

  test('a stream, which the SDK sends in chunks with its checksum behind, arrives whole', async () => {
    const bytes = Buffer.alloc(300_000, 'lock');
    await put('stream', Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)]), { ContentLength: bytes.length });
    const got = await client.send(new GetObjectCommand({ Bucket, Key: 'stream' }));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    expect(got.ContentEncoding).toBeUndefined();
    expect(encodings[0]).toContain('aws-chunked');
  });

  test('a body that does not match its checksum is refused and not stored', async () => {
    await expect(put('a', 'text', { ChecksumCRC32: 'AAAAAA==' })).rejects.toMatchObject({ name: 'BadDigest' });
    expect(await versionsOf('a')).toEqual([]);
  });

  test('keys with spaces, slashes and other scripts are told apart and listed as they are', async () => {
    for (const Key of ['a b/c', 'a%20b/c', 'späte/ß&<']) await put(Key, Key);
    expect(await textOf('a%20b/c')).toBe('a%20b/c');
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents.map(({ Key }) => Key)).toEqual(['a b/c', 'a%20b/c', 'späte/ß&<']);
  });
});

test('a list shows live objects in key order, in pages, and folds what lies below the delimiter', async () => {
  for (const Key of ['r/2', 'r/1', 'r/deep/x', 'r/deep/y', 'other']) await put(Key, 'x');
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'r/2' }));
  const first = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'r/', Delimiter: '/', MaxKeys: 1 }));
  expect(first.Contents?.map(({ Key }) => Key)).toEqual(['r/1']);
  const next = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'r/', Delimiter: '/', ContinuationToken: first.NextContinuationToken }));
  expect(next.CommonPrefixes).toEqual([{ Prefix: 'r/deep/' }]);
  expect(next.IsTruncated).toBe(false);
});

test('what was answered is there after the next start, versions and markers included', async () => {
  const first = await put('a', 'one');
  await put('a', 'two');
  await put('b', 'gone');
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
  await close();
  await open();
  expect(await textOf('a')).toBe('two');
  expect(await textOf('a', first.VersionId)).toBe('one');
  await expect(textOf('b')).rejects.toMatchObject({ name: 'NoSuchKey' });
  await expect(put('a', 'three', { IfMatch: first.ETag })).rejects.toMatchObject({ name: 'PreconditionFailed' });
});

test('an operation that is not served says so', async () => {
  await expect(fetch(`${listening.url}/${Bucket}/a?tagging`, { method: 'PUT', body: '' })).resolves.toMatchObject({ status: 501 });
});
