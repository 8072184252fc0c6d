import { isUtf8 } from 'node:buffer';
import { UnreadableError } from './unreadable.ts';

/** A larger input is refused before it is read: MiB. Of 50 MB a process takes less than 512 MB in all. */
const largest = 128;
/** The same in bytes. */
export const largestInput = largest * 1024 * 1024;

/**
 * The bytes of an input: UTF-8, without the byte-order mark that it may have. They stay bytes, since a text of 50 MB takes twice as much.
 *
 * @throws UnreadableError for anything else, with the line on which it stops being text.
 */
export function inputBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length > largestInput) throw new UnreadableError(`it is larger than ${largest} MiB`);
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) throw new UnreadableError('it is UTF-16', {}, 'Write it as UTF-8: in PowerShell with `| Out-File -Encoding utf8 <file>`.');
  if (!isUtf8(bytes)) throw new UnreadableError('it is not UTF-8', { line: lineOfBrokenText(bytes) });
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The first line that is no UTF-8 on its own: a line break is never part of a character. */
function lineOfBrokenText(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

/** A line of an input that is one JSON value a line, with its number. */
export interface InputLine {
  readonly line: number;
  readonly bytes: Uint8Array;
}

/** The lines that are not empty, one after the other, so that a long stream never lies in memory twice. */
export function* inputLines(bytes: Uint8Array): Generator<InputLine> {
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    line++;
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    if (!isBlank(bytes, start, end)) yield { line, bytes: bytes.subarray(start, end) };
    start = end + 1;
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 0x20) return false;
  return true;
}
