import type { CST } from 'yaml';

/** How deep maps and lists may nest. */
export const MAX_DEPTH = 64;

type Nested = { readonly token: CST.Token; readonly depth: number };

/**
 * The offset of the first map or list that nests deeper than `MAX_DEPTH`; undefined where none does.
 * Runs on the raw tokens with a stack of its own, since everything after it walks the document by recursion.
 */
export function tooDeepAt(tokens: readonly CST.Token[]): number | undefined {
  let first: number | undefined;
  const pending: Nested[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { token, depth } = next;
    if (token.type === 'document') {
      if (token.value) pending.push({ token: token.value, depth });
    } else if ('items' in token) {
      if (depth >= MAX_DEPTH) {
        first = Math.min(first ?? token.offset, token.offset);
        continue;
      }
      for (const { key, value } of token.items) {
        if (key) pending.push({ token: key, depth: depth + 1 });
        if (value) pending.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return first;
}
