import { createHash, randomBytes } from 'node:crypto';
import { type Journal, memoryJournal } from './journal.ts';
import { noSuchKey, preconditionFailed, S3Error } from './s3-error.ts';

/** One version of one object; a delete marker has no body. */
export interface ObjectVersion {
  readonly key: string;
  readonly id: string;
  /** Name of its body in the journal. */
  readonly blob: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** With its quotation marks. */
  readonly etag: string;
  readonly size: number;
  readonly deleteMarker: boolean;
  /** Headers that were sent with it and come back: content type, metadata, checksums. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  versioned: boolean;
  /** Newest version first. */
  readonly objects: Map<string, ObjectVersion[]>;
}

/** One change, as the journal keeps it. */
export type Change =
  | { readonly change: 'bucket'; readonly bucket: string; readonly versioned: boolean }
  | { readonly change: 'version'; readonly bucket: string; readonly version: ObjectVersion }
  | { readonly change: 'remove'; readonly bucket: string; readonly key: string; readonly id: string; readonly blob: string };

export interface Precondition {
  /** Only if nothing is there (a delete marker is nothing). */
  readonly ifAbsent?: boolean;
  /** Only if the newest version has this ETag. */
  readonly ifMatch?: string;
}

/** Buckets and their versions. Every method runs to its end without waiting, so a check and its commit are one step. */
export interface ObjectStore {
  createBucket(name: string, versioned: boolean): void;
  isVersioned(bucket: string): boolean;
  put(bucket: string, key: string, body: Buffer, headers: Readonly<Record<string, string>>, when?: Precondition): ObjectVersion;
  /** The newest version, or the one named. @throws S3Error NoSuchKey, NoSuchVersion, MethodNotAllowed for a delete marker. */
  find(bucket: string, key: string, id?: string): ObjectVersion;
  body(version: ObjectVersion): Buffer;
  /** Without an id: leaves a delete marker in a versioned bucket. With one: removes that version. */
  remove(bucket: string, key: string, id?: string): { deleteMarker: boolean; id?: string };
  /** Keys in byte order, each with its versions, newest first. */
  list(bucket: string, prefix: string): readonly (readonly [string, readonly ObjectVersion[]])[];
}

/** Opens a store over a journal, and replays what the journal holds. */
export function openObjectStore(journal: Journal = memoryJournal()): ObjectStore {
  const buckets = new Map<string, Bucket>();
  for (const change of journal.replay()) apply(buckets, change);

  const bucketOf = (name: string): Bucket => {
    const bucket = buckets.get(name);
    if (!bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
    return bucket;
  };
  const commit = (change: Change): void => {
    journal.append(change);
    apply(buckets, change);
  };
  const versionsOf = (bucket: string, key: string) => bucketOf(bucket).objects.get(key) ?? [];
  const add = (bucket: string, version: Omit<ObjectVersion, 'id' | 'blob' | 'at'>, body: Buffer): ObjectVersion => {
    const blob = randomBytes(16).toString('hex');
    const whole = { ...version, blob, id: bucketOf(bucket).versioned ? randomBytes(24).toString('base64url') : 'null', at: Date.now() };
    if (!version.deleteMarker) journal.keep(blob, body);
    const replaced = whole.id === 'null' ? versionsOf(bucket, version.key).find(({ id }) => id === 'null') : undefined;
    commit({ change: 'version', bucket, version: whole });
    if (replaced) journal.drop(replaced.blob);
    return whole;
  };

  return {
    createBucket(name, versioned) {
      if (buckets.get(name)?.versioned !== versioned) commit({ change: 'bucket', bucket: name, versioned });
    },
    isVersioned: (bucket) => bucketOf(bucket).versioned,
    put(bucket, key, body, headers, when = {}) {
      check(versionsOf(bucket, key)[0], when);
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      return add(bucket, { key, etag, size: body.length, deleteMarker: false, headers }, body);
    },
    find: (bucket, key, id) => pick(versionsOf(bucket, key), id),
    body: (version) => journal.read(version.blob),
    remove(bucket, key, id) {
      const versions = versionsOf(bucket, key);
      const target = id === undefined && !bucketOf(bucket).versioned ? versions[0] : versions.find((version) => version.id === id);
      if (id === undefined && bucketOf(bucket).versioned) {
        return { deleteMarker: true, id: add(bucket, { key, etag: '', size: 0, deleteMarker: true, headers: {} }, Buffer.alloc(0)).id };
      }
      if (target) {
        commit({ change: 'remove', bucket, key, id: target.id, blob: target.blob });
        journal.drop(target.blob);
      }
      return { deleteMarker: target?.deleteMarker ?? false, ...(id === undefined ? {} : { id }) };
    },
    list(bucket, prefix) {
      const found = [...bucketOf(bucket).objects].filter(([key]) => key.startsWith(prefix));
      return found.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    },
  };
}

function check(newest: ObjectVersion | undefined, { ifAbsent, ifMatch }: Precondition): void {
  const live = newest && !newest.deleteMarker ? newest : undefined;
  if (ifAbsent && live) throw preconditionFailed();
  if (ifMatch === undefined) return;
  if (!live) throw noSuchKey();
  if (live.etag.replaceAll('"', '') !== ifMatch.replaceAll('"', '')) throw preconditionFailed();
}

function pick(versions: readonly ObjectVersion[], id: string | undefined): ObjectVersion {
  const version = id === undefined ? versions[0] : versions.find((one) => one.id === id);
  if (!version) throw id === undefined ? noSuchKey() : new S3Error(404, 'NoSuchVersion', 'The specified version does not exist.');
  if (!version.deleteMarker) return version;
  const marker = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': version.id };
  throw id === undefined ? noSuchKey(marker) : new S3Error(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', marker);
}

function apply(buckets: Map<string, Bucket>, change: Change): void {
  if (change.change === 'bucket') {
    const known = buckets.get(change.bucket);
    if (known) known.versioned = change.versioned;
    else buckets.set(change.bucket, { versioned: change.versioned, objects: new Map() });
    return;
  }
  const objects = buckets.get(change.bucket)?.objects;
  if (change.change === 'version') {
    const older = objects?.get(change.version.key)?.filter(({ id }) => id !== change.version.id) ?? [];
    objects?.set(change.version.key, [change.version, ...older]);
    return;
  }
  const left = objects?.get(change.key)?.filter(({ id }) => id !== change.id) ?? [];
  if (left.length > 0) objects?.set(change.key, left);
  else objects?.delete(change.key);
}
