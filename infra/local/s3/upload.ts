import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { decodeAwsChunked } from './aws-chunked.ts';
import { S3Error } from './s3-error.ts';

/** What a PUT carries: its bytes and the headers that belong to the object. */
export interface Upload {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const kept = /^(content-type|content-disposition|content-language|cache-control|expires|x-amz-meta-.+|x-amz-storage-class)$/;
const checksums: Readonly<Record<string, (body: Buffer) => string>> = {
  'x-amz-checksum-crc32': (body) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return sum.toString('base64');
  },
  'x-amz-checksum-sha1': (body) => createHash('sha1').update(body).digest('base64'),
  'x-amz-checksum-sha256': (body) => createHash('sha256').update(body).digest('base64'),
};

/**
 * Reads an upload and verifies what the SDK sent with it: CRC-32 by default, as a header or, for a stream, as a trailer.
 *
 * @throws S3Error BadDigest or IncompleteBody; the object is then not stored.
 */
export function uploadOf(raw: Buffer, sent: IncomingHttpHeaders): Upload {
  const chunked = String(sent['x-amz-content-sha256']).startsWith('STREAMING-') || String(sent['content-encoding']).includes('aws-chunked');
  const { body, trailers } = chunked ? decodeAwsChunked(raw) : { body: raw, trailers: {} };
  const length = sent['x-amz-decoded-content-length'];
  if (typeof length === 'string' && Number(length) !== body.length) throw new S3Error(400, 'IncompleteBody', 'The body is not as long as announced.');

  const all = { ...sent, ...trailers };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (kept.test(name) && typeof value === 'string') headers[name] = value;
  const encoding = String(sent['content-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'aws-chunked');
  if (encoding.length > 0) headers['content-encoding'] = encoding.join(',');

  for (const [name, sum] of Object.entries(checksums)) {
    const claimed = all[name];
    if (typeof claimed !== 'string') continue;
    if (sum(body) !== claimed) throw new S3Error(400, 'BadDigest', `The ${name} you specified did not match the calculated checksum.`);
    headers[name] = claimed;
  }
  return { body, headers };
}
