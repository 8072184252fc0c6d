import { createHash } from 'node:crypto';
import type { Problem } from '../errors/error.ts';
import type { FileKind } from './file-kind.ts';

export type FileText = { readonly text: string; readonly hash: string } | { readonly problem: Problem };

/** The file's bytes as text, with the SHA-256 of the bytes. A byte order mark of UTF-8 at the start is passed over, as YAML allows. */
export function fileText(bytes: Uint8Array | string, file: string, kind: FileKind): FileText {
  const raw = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const start = { file, line: 1, column: 1 };
  const { syntax, size } = kind.codes;
  if (raw.length > kind.maxBytes) {
    const most = `${kind.maxBytes} (${inUnits(kind.maxBytes)}) are allowed`;
    return { problem: { code: size, message: `the ${kind.noun} has ${raw.length} bytes; ${most}: split it`, at: start } };
  }
  if ((raw[0] === 0xff && raw[1] === 0xfe) || (raw[0] === 0xfe && raw[1] === 0xff)) {
    return { problem: { code: syntax, message: 'the file starts with the byte order mark of UTF-16: save it as UTF-8', at: start } };
  }
  const text = decoded(raw);
  if (text === undefined) {
    return { problem: { code: syntax, message: 'this byte is not UTF-8: save the file as UTF-8', at: { file, ...firstBadByte(raw) } } };
  }
  const control = controlCharacter(text, file, kind);
  if (control !== undefined) return { problem: control };
  return { text, hash: createHash('sha256').update(raw).digest('hex') };
}

const inUnits = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`);

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Line and column of the first byte that is not UTF-8: lines before it decode, and so does what stands before it in its own. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  let line = 1;
  let from = 0;
  for (let end = lineEnd(bytes, from); decoded(bytes.subarray(from, end)) !== undefined && end < bytes.length; end = lineEnd(bytes, from)) {
    line += 1;
    from = end;
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let column = 1;
  try {
    for (let at = from; at < bytes.length; at += 1) column += decoder.decode(bytes.subarray(at, at + 1), { stream: true }).length;
  } catch {
    // The decoder has met the bad byte: `column` counts what came before it.
  }
  return { line, column };
}

/** The place after the line's break, or the end. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(0x0a, from);
  return at === -1 ? bytes.length : at + 1;
}

/** YAML forbids them, and terminals and providers do strange things with them. */
function controlCharacter(text: string, file: string, kind: FileKind): Problem | undefined {
  const at = text.search(/[^\P{Cc}\t\n\r\u0085]/u);
  if (at === -1) return undefined;
  const before = text.slice(0, at);
  const name = `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    code: kind.codes.syntax,
    message: `the control character ${name} may not stand in a ${kind.noun}: remove it`,
    at: { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') },
  };
}
