import type { Side } from '../engine/value.ts';
import { plain } from './escape.ts';

/** A side in words: `literal` is text to show in clear; `mark` stands in place of a value that is not shown. */
export type SideWords = { readonly literal: string } | { readonly mark: string };

/** Literals in clear; everything else by where it comes from (design 4, "Values"). `mark` may hold a line's id: escape it. */
export function sideWords(side: Side): SideWords {
  switch (side.state) {
    case 'literal':
      return { literal: String(side.value) };
    case 'secret':
      return { mark: '(secret)' };
    case 'sensitive':
      return { mark: side.ref === undefined ? '(sensitive)' : `(sensitive ← ${side.ref})` };
    case 'pending':
      return { mark: `(pending ← ${side.ref})` };
    case 'kept':
      return { mark: '(kept as it is)' };
    case 'absent':
      return { mark: '(none)' };
    case 'unshown':
      return { mark: '(not shown)' };
  }
}

/** A literal in quotes, so that one spelled like a mark is not taken for it. Plain text: whoever shows it in Markdown escapes it. */
export function sideText(side: Side): string {
  const words = sideWords(side);
  return 'literal' in words ? JSON.stringify(plain(words.literal, 200)) : plain(words.mark);
}
