/** A text as it reads when one way of writing it down is undone, with where each of its characters stands in the text. */
export interface View {
  readonly text: string;
  /** Where the text begins that makes up the character at `at`. */
  startOf(at: number): number;
  /** Where it ends, exclusive. */
  endOf(at: number): number;
  /** A place in the text, or the beginning of what it would cut apart. */
  whole(place: number): number;
  /** The first break that was taken out between the characters `start` and `end`, as the character it stands before. */
  breakIn(start: number, end: number): number | undefined;
}

/** The text as it stands. */
export const asItIs = (text: string): View => ({
  text,
  startOf: (at) => at,
  endOf: (at) => at + 1,
  whole: (place) => place,
  breakIn: () => undefined,
});

/** What was undone: from where to where in the view, and from where to where in the text under it. */
interface Undone {
  readonly at: number;
  readonly to: number;
  readonly from: number;
  readonly until: number;
}

/**
 * A view of a view, in which each match of `pattern` reads as `undo` says; undefined when there is none. A match that `undo` gives
 * nothing for stays; one that reads as nothing is a break.
 */
export function undone(under: View, pattern: RegExp, undo: (match: RegExpExecArray) => string | undefined): View | undefined {
  const marks: Undone[] = [];
  const parts: string[] = [];
  let [copied, length] = [0, 0];
  for (const match of under.text.matchAll(pattern)) {
    const read = undo(match);
    if (read === undefined) continue;
    parts.push(under.text.slice(copied, match.index), read);
    const at = length + match.index - copied;
    copied = match.index + match[0].length;
    length = at + read.length;
    marks.push({ at, to: length, from: match.index, until: copied });
  }
  if (marks.length === 0) return undefined;
  parts.push(under.text.slice(copied));

  /** The last mark that begins at or before a character. */
  const markAt = (at: number): Undone | undefined => marks[lastWhere(marks, (mark) => mark.at <= at)];
  /** The place in the text under it, when the character is none of what was undone. */
  const plain = (at: number, mark: Undone | undefined): number => (mark ? mark.until + at - mark.to : at);

  return {
    text: parts.join(''),
    startOf(at) {
      const mark = markAt(at);
      return under.startOf(mark && at < mark.to ? mark.from : plain(at, mark));
    },
    endOf(at) {
      const mark = markAt(at);
      return under.endOf(mark && at < mark.to ? mark.until - 1 : plain(at, mark));
    },
    whole(place) {
      const around = under.whole(place);
      const mark = marks[lastWhere(marks, ({ from }) => under.startOf(from) < around)];
      return mark && around < under.endOf(mark.until - 1) ? under.startOf(mark.from) : around;
    },
    breakIn(start, end) {
      const mark = marks[lastWhere(marks, ({ at }) => at <= start) + 1];
      return mark && mark.at < end && mark.at === mark.to ? mark.at : undefined;
    },
  };
}

/** Index of the last of some sorted things for which `holds` is true; it is true of all before it. -1: of none. */
function lastWhere<T>(things: readonly T[], holds: (thing: T) => boolean): number {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(things[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
