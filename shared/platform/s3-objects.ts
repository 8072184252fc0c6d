import { GetObjectCommand, ListObjectVersionsCommand, PutObjectCommand, type PutObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../ports/clock.ts';
import type { Objects, PutAnswer, StoredObject } from '../ports/objects.ts';
import { exceptionOf, failureOf, statusOf, unreachable } from './failure.ts';

export interface S3ObjectsOptions {
  readonly bucket: string;
  /** One attempt a request: see `s3Writes`. */
  readonly writes: S3Client;
  readonly reads: S3Client;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whoever asks may not list the bucket, so that S3 refuses what is not there (403): taken for nothing there. */
  readonly unlisted?: true;
}

const attempts = 4;
const pause = 100;

/**
 * The versioned bucket on S3.
 *
 *     we:     put, if absent ───▶ stored ──✗ answer lost
 *     we:     the same put ─▶ 412: there is something
 *     we:     get ─▶ our body is on top: stored
 *
 * Only after a lost answer is the body compared: a plain 412 is somebody else's object, even where it says the same.
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the bucket refuses or does not answer; a put may then have been stored.
 */
export function s3Objects({ bucket, writes, reads, clock, unlisted }: S3ObjectsOptions): Objects {
  async function get(key: string, version?: string): Promise<StoredObject | undefined> {
    try {
      const answer = await reads.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...(version === undefined ? {} : { VersionId: version }) }));
      return { body: (await answer.Body?.transformToString('utf-8')) ?? '', etag: answer.ETag ?? '', version: answer.VersionId ?? '' };
    } catch (error) {
      if (isNothingThere(error) || (unlisted && statusOf(error) === 403)) return undefined;
      throw unreachable(`reading ${key}`, error);
    }
  }

  async function put(key: string, body: string, when: { ifAbsent: true } | { ifMatch: string }): Promise<PutAnswer> {
    const condition = 'ifAbsent' in when ? { IfNoneMatch: '*' } : { IfMatch: when.ifMatch };
    const command = () => new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'application/json; charset=utf-8', ...condition });
    let answerLost = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return stored(await writes.send(command()));
      } catch (error) {
        if (isPreconditionFailed(error)) return answerLost ? ownOnTop(key, body) : { stored: false };
        const failure = failureOf(error);
        const mayRepeat = failure === 'unknown' || isConflict(error) || isThrottled(error);
        if (!mayRepeat || attempt === attempts) throw unreachable(`storing ${key}`, error);
        answerLost ||= failure === 'unknown';
        await clock.sleep(pause * 2 ** (attempt - 1));
      }
    }
  }

  async function ownOnTop(key: string, body: string): Promise<PutAnswer> {
    const top = await get(key);
    return top?.body === body ? { stored: true, etag: top.etag, version: top.version } : { stored: false };
  }

  async function versions(key: string): Promise<{ version: string; at: number }[]> {
    const found: { version: string; at: number }[] = [];
    let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (from) {
      const answer = await listed(key, from);
      for (const one of answer.Versions ?? []) {
        if (one.Key === key && one.VersionId) found.push({ version: one.VersionId, at: one.LastModified?.getTime() ?? 0 });
      }
      from = answer.IsTruncated ? { KeyMarker: answer.NextKeyMarker, VersionIdMarker: answer.NextVersionIdMarker } : undefined;
    }
    return found;
  }

  async function listed(key: string, from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined }) {
    try {
      return await reads.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key, ...from }));
    } catch (error) {
      throw unreachable(`listing the versions of ${key}`, error);
    }
  }

  return { get, put, versions };
}

const stored = (answer: PutObjectCommandOutput): PutAnswer => ({ stored: true, etag: answer.ETag ?? '', version: answer.VersionId ?? '' });

const isNothingThere = (error: unknown) =>
  ['NoSuchKey', 'NoSuchVersion'].includes(exceptionOf(error)) || (statusOf(error) === 404 && exceptionOf(error) === 'NotFound');

/** S3 answers 404 where an object with that ETag is asked for and none is there. */
const isPreconditionFailed = (error: unknown) => statusOf(error) === 412 || isNothingThere(error);

/** Another conditional put of the key was under way: S3 asks to send it again. */
const isConflict = (error: unknown) => statusOf(error) === 409;

const isThrottled = (error: unknown) => statusOf(error) === 429;
