import type { ObjectStore, ObjectVersion } from './object-store.ts';
import { document, tag } from './xml.ts';

const pageSize = 1000;
const iso = (at: number): string => new Date(at).toISOString();

interface Page {
  readonly prefix: string;
  readonly limit: number;
  /** Keys come URL-encoded when the SDK asks for it, as it does. */
  key(key: string): string;
  readonly encoding: string;
}

function pageOf(query: URLSearchParams): Page {
  const encoded = query.get('encoding-type') === 'url';
  return {
    prefix: query.get('prefix') ?? '',
    limit: Math.min(Number(query.get('max-keys') ?? pageSize), pageSize),
    key: (key) => (encoded ? encodeURIComponent(key).replaceAll('%2F', '/') : key),
    encoding: encoded ? tag('EncodingType', 'url') : '',
  };
}

/** ListObjectsV2: newest versions that are no delete markers, in key order, with continuation and common prefixes. */
export function listObjects(store: ObjectStore, bucket: string, query: URLSearchParams): string {
  const page = pageOf(query);
  const delimiter = query.get('delimiter') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();

  const entries = new Map<string, ObjectVersion | undefined>();
  for (const [key, [newest]] of store.list(bucket, page.prefix)) {
    if (!newest || newest.deleteMarker) continue;
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, page.prefix.length);
    const name = cut < 0 ? key : key.slice(0, cut + delimiter.length);
    if (name > after) entries.set(name, cut < 0 ? newest : undefined);
  }
  const names = [...entries.keys()];
  const shown = names.slice(0, page.limit);
  const truncated = names.length > shown.length;
  const body = shown.map((name) => {
    const version = entries.get(name);
    return version ? contents(version, page) : `<CommonPrefixes>${tag('Prefix', page.key(name))}</CommonPrefixes>`;
  });
  const next = truncated ? tag('NextContinuationToken', Buffer.from(shown.at(-1) ?? '').toString('base64url')) : '';
  const head = `${tag('Name', bucket)}${tag('Prefix', page.key(page.prefix))}${tag('KeyCount', shown.length)}${tag('MaxKeys', page.limit)}`;
  return document('ListBucketResult', `${head}${tag('IsTruncated', truncated)}${next}${page.encoding}${body.join('')}`);
}

const contents = (version: ObjectVersion, page: Page): string =>
  `<Contents>${tag('Key', page.key(version.key))}${tag('LastModified', iso(version.at))}${tag('ETag', version.etag)}${tag('Size', version.size)}` +
  '<StorageClass>STANDARD</StorageClass></Contents>';

/** ListObjectVersions: every version and delete marker, by key, newest first, with key and version markers. */
export function listVersions(store: ObjectStore, bucket: string, query: URLSearchParams): string {
  const page = pageOf(query);
  const all = store.list(bucket, page.prefix).flatMap(([, versions]) => versions.map((version, index) => ({ version, latest: index === 0 })));
  const keyMarker = query.get('key-marker');
  const versionMarker = query.get('version-id-marker');
  const start = all.findIndex(({ version }) => keyMarker === null || version.key > keyMarker);
  const marked = all.findIndex(({ version }) => version.key === keyMarker && version.id === versionMarker);
  const from = marked >= 0 ? marked + 1 : start < 0 ? all.length : start;
  const shown = all.slice(from, from + page.limit);
  const truncated = from + shown.length < all.length;
  const last = shown.at(-1)?.version;
  const next = truncated && last ? `${tag('NextKeyMarker', page.key(last.key))}${tag('NextVersionIdMarker', last.id)}` : '';
  const head = `${tag('Name', bucket)}${tag('Prefix', page.key(page.prefix))}${tag('MaxKeys', page.limit)}${tag('IsTruncated', truncated)}`;
  const body = shown.map(({ version, latest }) => versionEntry(version, latest, page)).join('');
  return document('ListVersionsResult', `${head}${next}${page.encoding}${body}`);
}

function versionEntry(version: ObjectVersion, latest: boolean, page: Page): string {
  const both = `${tag('Key', page.key(version.key))}${tag('VersionId', version.id)}${tag('IsLatest', latest)}${tag('LastModified', iso(version.at))}`;
  if (version.deleteMarker) return `<DeleteMarker>${both}</DeleteMarker>`;
  return `<Version>${both}${tag('ETag', version.etag)}${tag('Size', version.size)}<StorageClass>STANDARD</StorageClass></Version>`;
}
