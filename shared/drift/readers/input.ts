import { isUtf8 } from 'node:buffer';
import { UnreadableError } from './unreadable.ts';

/** A larger input is refused before it is read: MiB. Of 50 MB the values take at most 400 MB of heap; the process takes more. */
const largest = 128;
/** The same in bytes. */
export const largestInput = largest * 1024 * 1024;

/**
 * The bytes of an input as text: UTF-8, with or without a byte-order mark.
 *
 * @throws UnreadableError for anything else, with the line on which it stops being text.
 */
export function inputText(bytes: Uint8Array): string {
  if (bytes.length > largestInput) throw new UnreadableError(`it is larger than ${largest} MiB`);
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) throw new UnreadableError('it is UTF-16', {}, 'Write it as UTF-8: in PowerShell with `| Out-File -Encoding utf8 <file>`.');
  if (!isUtf8(bytes)) throw new UnreadableError('it is not UTF-8', { line: lineOfBrokenText(bytes) });
  return new TextDecoder().decode(bytes);
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

/** A line of a text that is one JSON value a line, with its number. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
}

/** The lines that are not empty, one after the other, so that a long stream never lies in memory twice. */
export function* inputLines(text: string): Generator<InputLine> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line++;
    const end = text.indexOf('\n', start);
    const one = text.slice(start, end < 0 ? text.length : end);
    if (one.trim() !== '') yield { line, text: one };
    start = end < 0 ? text.length : end + 1;
  }
}
