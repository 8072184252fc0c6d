import { describe, expect, it } from 'vitest';
import { openLines } from './lines.ts';

function taken(chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const open = openLines((line) => lines.push(line));
  for (const chunk of chunks) open.take(Buffer.from(chunk, 'latin1'));
  open.end();
  return lines;
}

describe('lines that come in pieces', () => {
  it('are whole, wherever they were cut, and the last one needs no end', () => {
    expect(taken(['on', 'e\ntwo\nth', 'ree'])).toEqual(['one', 'two', 'three']);
    const umlaut = Buffer.from('ä').toString('latin1');
    expect(taken([`a${umlaut.slice(0, 1)}`, `${umlaut.slice(1)}b\n`])).toEqual(['aäb']);
  });

  it('are left out where they are empty or longer than 1 MiB, and the next one is whole again', () => {
    const chunk = 'x'.repeat(64 * 1024);
    expect(taken(['a\n\n', ...Array.from({ length: 20 }, () => chunk), '\nb\n'])).toEqual(['a', 'b']);
  });
});
