/** A part of a text that may be left out item by item. Its frame is only there with at least one item in it. */
export interface Block {
  readonly head: string;
  readonly items: readonly string[];
  readonly tail: string;
  /** What its items are called when some are left out: `details of 3 lines`. */
  readonly left: (n: number) => string;
  /** Blocks of the highest rank are the first to lose items. */
  readonly rank: number;
  /** Part of the whole budget that it may take, 0 to 1; all of it when absent. */
  readonly share?: number;
}

export interface Shortened {
  readonly text: string;
  /** What was left out, in words; empty when all fitted. */
  readonly left: readonly string[];
}

/**
 * Joins blocks in their order within `budget` UTF-16 units. Items are whole or absent; those of the lowest rank are placed
 * first, and an item that does not fit leaves the later ones of its block their chance.
 */
export function shorten(blocks: readonly Block[], budget: number): Shortened {
  const placed = new Map<Block, string[]>();
  let room = budget;
  for (const block of blocks.toSorted((a, b) => a.rank - b.rank)) {
    const kept: string[] = [];
    const frame = block.head.length + block.tail.length + 1;
    let own = budget * (block.share ?? 1);
    for (const item of block.items) {
      const cost = item.length + 1 + (kept.length === 0 ? frame : 0);
      if (cost > room || cost > own) continue;
      room -= cost;
      own -= cost;
      kept.push(item);
    }
    placed.set(block, kept);
  }
  const shown = blocks.map((block) => ({ block, kept: placed.get(block) ?? [] }));
  return {
    text: shown.map(({ block, kept }) => (kept.length === 0 ? '' : `${block.head}${kept.join('\n')}${block.tail}\n`)).join(''),
    left: shown.filter(({ block, kept }) => kept.length < block.items.length).map(({ block, kept }) => block.left(block.items.length - kept.length)),
  };
}
