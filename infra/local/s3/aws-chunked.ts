import { S3Error } from './s3-error.ts';

/** A body and the headers that followed it. */
export interface Decoded {
  readonly body: Buffer;
  readonly trailers: Readonly<Record<string, string>>;
}

/**
 * Undoes the encoding the SDK uses for streams: `<hex size>[;extension]\r\n<bytes>\r\n`, repeated, ended by size 0 and by
 * trailing headers (the checksum).
 *
 * @throws S3Error IncompleteBody when the framing ends early.
 */
export function decodeAwsChunked(raw: Buffer): Decoded {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = raw.indexOf('\r\n', position);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(raw.toString('latin1', position, lineEnd), 16);
    const start = lineEnd + 2;
    if (Number.isNaN(size) || start + size > raw.length) throw new S3Error(400, 'IncompleteBody', 'The chunked body ends early.');
    if (size === 0) return { body: Buffer.concat(chunks), trailers: trailersIn(raw.toString('latin1', start)) };
    chunks.push(raw.subarray(start, start + size));
    position = start + size + 2;
  }
}

function trailersIn(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
}
