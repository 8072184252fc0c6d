/** The suggestion behind every "did you mean": the candidate with the fewest slips, if it is close enough to be one. */

/** Longer words are not compared: nobody mistypes them by a letter or two, and the work grows with the square. */
const LONGEST = 80;
/** Further candidates are not compared: a file may have any number of ids. */
const MOST_CANDIDATES = 2000;

/**
 * The candidate nearest to `word`: letters changed, left out, added or swapped, case ignored. Undefined when none is near:
 * more than a third of the word (at least one slip, at most three) would have to change. The first of equals wins.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let allowed = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let compared = 0;
  for (const candidate of candidates) {
    compared += 1;
    if (compared > MOST_CANDIDATES) break;
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const slips = slipsBetween(wanted, candidate.toLowerCase());
    if (slips > allowed) continue;
    if (slips === 0) return candidate;
    best = candidate;
    allowed = slips - 1;
  }
  return best;
}

/** ` (did you mean X?)`, or nothing: what stands in a message right after the word that is not known. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : ` (did you mean \`${found}\`?)`;
}

/** Optimal string alignment distance: the number of single-letter edits, a swap of neighbours counting as one. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
