export interface StoredObject {
  readonly body: string;
  readonly etag: string;
  readonly version: string;
}

/** `refused` says that the precondition did not hold (412). */
export type PutAnswer = { readonly stored: true; readonly etag: string; readonly version: string } | { readonly stored: false };

/**
 * The versioned bucket. A put whose answer was lost is recognised, or sent again, before it is given up.
 *
 * @throws LockkeeperError STORE_UNREACHABLE; a put may then have been stored.
 */
export interface Objects {
  /** The newest version, or the one named. */
  get(key: string, version?: string): Promise<StoredObject | undefined>;
  /** Puts UTF-8 JSON. `ifMatch` an ETag: compare and swap; `ifAbsent`: create only. */
  put(key: string, body: string, when: { ifAbsent: true } | { ifMatch: string }): Promise<PutAnswer>;
  /** Versions of one key, newest first. */
  versions(key: string): Promise<{ version: string; at: number }[]>;
}
