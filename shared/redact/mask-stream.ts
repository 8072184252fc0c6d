import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from './redactor.ts';

export interface MaskedStream {
  /** Bytes are UTF-8; a character may be split over two writes. */
  write(chunk: string | Uint8Array): void;
  /** Emits what was held back. Nothing may be written afterwards. */
  end(): void;
}

/**
 * Masks what is written in pieces: an end of the text that could be the beginning of a secret is held back until the next
 * piece decides. Of a value whose head was not written, the part before its last sixteen characters may have left already.
 */
export function maskStream(redactor: Redactor, emit: (text: string) => void): MaskedStream {
  const decoder = new StringDecoder('utf8');
  let held = '';

  function push(text: string): void {
    const { masked, rest } = redactor.maskReady(held + text);
    held = rest;
    if (masked !== '') emit(masked);
  }

  return {
    write: (chunk) => push(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))),
    end: () => {
      const last = redactor.mask(held + decoder.end());
      held = '';
      if (last !== '') emit(last);
    },
  };
}
