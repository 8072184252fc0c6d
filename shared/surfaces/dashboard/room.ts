/** A part of a page that has its place, and may get less room than it asks for, or none. */
export interface Part {
  /** Parts of the lowest rank are given room first; in one rank, in their order. */
  readonly rank: number;
  /** It stands only where that one does, which is given room before. */
  readonly under?: Part;
  /** What is said in its place where it finds no room. The part that it stands under is there only with room for that as well: nothing below it goes without a word. */
  readonly instead?: string;
  /** The most it may take of what is left, as a part of it; all of it where absent. */
  readonly share?: number;
  /** What it comes to in so much room; undefined: it does not fit at all. */
  readonly render: (room: number) => string | undefined;
}

/** A part that is there whole, or not at all. */
export const whole = (text: string, rank: number): Part => ({ rank, render: (room) => (text.length <= room ? text : undefined) });

/** The parts in their order, within `budget` UTF-16 units; and which of them found no room. */
export function inRoom(parts: readonly Part[], budget: number): { readonly text: string; readonly left: readonly Part[] } {
  const placed = new Map<Part, string>();
  const below = Map.groupBy(
    parts.filter((part) => part.instead !== undefined),
    (part) => part.under,
  );
  let room = budget;
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (part.under && !placed.has(part.under)) continue;
    const words = below.get(part) ?? [];
    const reserved = words.reduce((all, { instead = '' }) => all + instead.length, 0);
    const own = placed.get(part)?.length ?? 0;
    const text = part.render(Math.floor((room - reserved) * (part.share ?? 1)) + own) ?? placed.get(part);
    if (text === undefined) continue;
    room += own - text.length - reserved;
    placed.set(part, text);
    for (const word of words) placed.set(word, word.instead ?? '');
  }
  return { text: parts.map((part) => placed.get(part) ?? '').join(''), left: parts.filter((part) => !placed.has(part)) };
}
