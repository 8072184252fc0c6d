import { gzipSync } from 'node:zlib';

/** One file of a tar, or a symbolic link: then `link` says where it leads, and `body` is empty. */
export interface TarFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly executable?: boolean;
  readonly link?: string;
}

const BLOCK = 512;
/** What a header of the old form has room for. */
const SHORT_NAME = 100;

/**
 * Files as a gzipped tar (ustar; a path or link that its header has no room for goes into a pax header before it), all below one folder
 * as code hosts pack theirs. The same files give the same bytes.
 */
export function packedFiles(files: readonly TarFile[], top = 'source'): Buffer {
  const entries = files.flatMap((file) => entryOf({ ...file, path: `${top}/${file.path}` }));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]));
}

function entryOf({ path, body, executable, link }: TarFile): Buffer[] {
  const long = [...(bytesOf(path) > SHORT_NAME ? [record('path', path)] : []), ...(link && bytesOf(link) > SHORT_NAME ? [record('linkpath', link)] : [])];
  const extended = Buffer.from(long.join(''));
  const pax = long.length === 0 ? [] : [header({ path: 'pax', size: extended.length, type: 'x', mode: 0o644 }), padded(extended)];
  const mode = executable ? 0o755 : 0o644;
  return [...pax, header({ path, size: body.length, type: link === undefined ? '0' : '2', mode, link: link ?? '' }), padded(Buffer.from(body))];
}

interface Head {
  readonly path: string;
  readonly size: number;
  /** `0` a file, `2` a symbolic link, `x` what the next header has no room for. */
  readonly type: '0' | '2' | 'x';
  readonly mode: number;
  readonly link?: string;
}

function header({ path, size, type, mode, link = '' }: Head): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number) => block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
  block.write(path, 0, SHORT_NAME, 'utf8');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write(link, 157, SHORT_NAME, 'utf8');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  for (let length = bytesOf(rest) + 1; ; length += 1) if (`${length}`.length + bytesOf(rest) === length) return `${length}${rest}`;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

const padded = (body: Buffer): Buffer => Buffer.concat([body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
