import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { RequestCounter } from '../data-plane/request-counts.ts';
import { readAll } from '../http/read-all.ts';
import { listObjects, listVersions } from './listing.ts';
import type { ObjectStore, ObjectVersion } from './object-store.ts';
import { S3Error } from './s3-error.ts';
import { uploadOf } from './upload.ts';
import { document, tag } from './xml.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

interface ObjectRequest {
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

/** One operation of S3: how it is told apart, and what it does. Anything else is answered NotImplemented. */
interface S3Operation {
  readonly name: string;
  readonly is: (request: ObjectRequest) => boolean;
  readonly run: (store: ObjectStore, request: ObjectRequest) => Promise<Answer> | Answer;
}

const method = ({ request }: ObjectRequest, wanted: string): boolean => request.method === wanted;
const onObject = ({ key }: ObjectRequest): boolean => key !== '';
const versionId = ({ query }: ObjectRequest): string | undefined => query.get('versionId') ?? undefined;

/** Query parameters that make it another operation (tagging, uploads, acl…), besides those served here. */
const plain = ({ query }: ObjectRequest): boolean => [...query.keys()].every((name) => name === 'x-id' || name === 'versionId' || name.startsWith('response-'));

const operations: readonly S3Operation[] = [
  { name: 'PutObject', is: (r) => onObject(r) && method(r, 'PUT') && plain(r) && !r.request.headers['x-amz-copy-source'], run: putObject },
  { name: 'GetObject', is: (r) => onObject(r) && method(r, 'GET') && plain(r), run: (store, r) => getObject(store, r, true) },
  { name: 'HeadObject', is: (r) => onObject(r) && method(r, 'HEAD') && plain(r), run: (store, r) => getObject(store, r, false) },
  { name: 'DeleteObject', is: (r) => onObject(r) && method(r, 'DELETE') && plain(r), run: deleteObject },
  {
    name: 'ListObjectVersions',
    is: (r) => !onObject(r) && method(r, 'GET') && r.query.has('versions'),
    run: (store, r) => xml(listVersions(store, r.bucket, r.query)),
  },
  {
    name: 'ListObjectsV2',
    is: (r) => !onObject(r) && method(r, 'GET') && r.query.get('list-type') === '2',
    run: (store, r) => xml(listObjects(store, r.bucket, r.query)),
  },
  {
    name: 'HeadBucket',
    is: (r) => !onObject(r) && method(r, 'HEAD'),
    run: headBucket,
  },
];

const xml = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });

/** A versioned S3 endpoint, path style, for the operations above. Signatures are not checked. */
export function s3Server(store: ObjectStore, counter: RequestCounter): Server {
  return createServer((request, response) => {
    answer(store, counter, request)
      .catch((thrown) => errorAnswer(thrown, request.method))
      .then((made) => send(response, made));
  });
}

async function answer(store: ObjectStore, counter: RequestCounter, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/');
  const objectRequest = { bucket, key: decodeURIComponent(rest.join('/')), query: url.searchParams, request };
  const operation = operations.find(({ is }) => is(objectRequest));
  counter.count('s3', request, operation?.name);
  if (!operation) throw new S3Error(501, 'NotImplemented', `${request.method} ${request.url} is not served here`);
  return operation.run(store, objectRequest);
}

async function putObject(store: ObjectStore, { bucket, key, request }: ObjectRequest): Promise<Answer> {
  const { body, headers } = uploadOf(await readAll(request), request.headers);
  const ifMatch = request.headers['if-match'];
  const stored = store.put(bucket, key, body, headers, {
    ifAbsent: request.headers['if-none-match'] === '*',
    ...(ifMatch === undefined ? {} : { ifMatch }),
  });
  return { status: 200, headers: { etag: stored.etag, ...versionHeader(store, bucket, stored) } };
}

function getObject(store: ObjectStore, request: ObjectRequest, withBody: boolean): Answer {
  const version = store.find(request.bucket, request.key, versionId(request));
  return {
    status: 200,
    headers: {
      'content-type': 'binary/octet-stream',
      ...version.headers,
      'content-length': String(version.size),
      etag: version.etag,
      'last-modified': new Date(version.at).toUTCString(),
      ...versionHeader(store, request.bucket, version),
    },
    ...(withBody ? { body: store.body(version) } : {}),
  };
}

function deleteObject(store: ObjectStore, request: ObjectRequest): Answer {
  const { deleteMarker, id } = store.remove(request.bucket, request.key, versionId(request));
  return {
    status: 204,
    headers: { ...(id === undefined ? {} : { 'x-amz-version-id': id }), ...(deleteMarker ? { 'x-amz-delete-marker': 'true' } : {}) },
  };
}

function headBucket(store: ObjectStore, { bucket }: ObjectRequest): Answer {
  store.isVersioned(bucket); // throws for an unknown one
  return { status: 200 };
}

const versionHeader = (store: ObjectStore, bucket: string, version: ObjectVersion): Record<string, string> =>
  store.isVersioned(bucket) ? { 'x-amz-version-id': version.id } : {};

function errorAnswer(thrown: unknown, method: string | undefined): Answer {
  const error = thrown instanceof S3Error ? thrown : new S3Error(500, 'InternalError', thrown instanceof Error ? thrown.message : String(thrown));
  const headers = { 'content-type': 'application/xml', ...error.headers };
  if (method === 'HEAD') return { status: error.status, headers };
  return { status: error.status, headers, body: document('Error', tag('Code', error.code) + tag('Message', error.message)) };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, { 'x-amz-request-id': 'local', ...headers }).end(body);
}
