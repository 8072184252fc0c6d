/** Numbers in an order that a seed fixes: the same seed, the same interleaving. */
export interface Random {
  /** From 0 up to, and without, `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  /** @throws Error of an empty list. */
  one<T>(all: readonly T[]): T;
}

/** mulberry32: small, fast, and good enough to choose by. */
export function randomOf(seed: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (share) => next() < share,
    one(all) {
      if (all.length === 0) throw new Error('nothing to choose from');
      return all[below(all.length)] as (typeof all)[number];
    },
  };
}
