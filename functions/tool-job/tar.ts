import { gunzipSync } from 'node:zlib';

/** One entry of a tar; a link says where it leads. */
export type TarEntry =
  | { readonly is: 'file'; readonly path: string; readonly body: Buffer; readonly executable: boolean }
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'link'; readonly path: string; readonly to: string };

const block = 512;
const mostBytes = 512 * 1024 * 1024;
const mostEntries = 100_000;

/**
 * The entries of a gzipped tar as git and code hosts write them: ustar, with pax headers where a name is long.
 *
 * @throws Error with what is wrong, and no name of a file.
 */
export function* tarEntries(packed: Uint8Array): Generator<TarEntry> {
  const bytes = unzipped(packed);
  let extended: Readonly<Record<string, string>> = {};
  let entries = 0;
  for (let at = 0; at + block <= bytes.length; ) {
    const header = bytes.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return;
    entries += 1;
    if (entries > mostEntries) throw new Error(`it has more than ${mostEntries} files`);
    checkSum(header);
    const size = extended['size'] === undefined ? octal(header, 124, 12) : Number(extended['size']);
    const body = bytes.subarray(at + block, at + block + size);
    if (!Number.isSafeInteger(size) || size < 0 || body.length !== size) throw new Error('it is cut off');
    at += block + Math.ceil(size / block) * block;
    const kind = String.fromCharCode(header[156] ?? 0);
    if (kind === 'g') continue;
    if (kind === 'x') {
      extended = paxRecords(body);
      continue;
    }
    yield entryOf(kind, header, body, extended);
    extended = {};
  }
  throw new Error('it has no end');
}

function unzipped(packed: Uint8Array): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: mostBytes });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new Error(code === 'ERR_BUFFER_TOO_LARGE' ? `it is larger than ${mostBytes / 1024 / 1024} MB, unpacked` : 'it is no gzipped tar');
  }
}

function entryOf(kind: string, header: Buffer, body: Buffer, extended: Readonly<Record<string, string>>): TarEntry {
  const prefix = text(header, 345, 155);
  const path = extended['path'] ?? (prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`);
  if (kind === '0' || kind === '\0') return { is: 'file', path, body, executable: (octal(header, 100, 8) & 0o100) !== 0 };
  if (kind === '5') return { is: 'folder', path };
  if (kind === '2') return { is: 'link', path, to: extended['linkpath'] ?? text(header, 157, 100) };
  throw new Error('it has something that is no file, no folder and no symbolic link');
}

function checkSum(header: Buffer): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw new Error('a header of it is damaged');
}

function paxRecords(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.subarray(at, space).toString('latin1'));
    if (space < 0 || !Number.isSafeInteger(length) || length <= space - at || at + length > body.length) throw new Error('a header of it is damaged');
    const record = body.subarray(space + 1, at + length - 1).toString('utf8');
    const equals = record.indexOf('=');
    records[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return records;
}

function octal(header: Buffer, at: number, width: number): number {
  const digits = text(header, at, width).trim();
  if (!/^[0-7]*$/.test(digits)) throw new Error('a header of it is damaged');
  return Number.parseInt(digits || '0', 8);
}

function text(header: Buffer, at: number, width: number): string {
  const field = header.subarray(at, at + width);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? width : end).toString('utf8');
}
