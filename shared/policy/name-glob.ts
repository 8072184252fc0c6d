/** Whether a name matches a pattern in which `*` stands for any characters, none included. Takes time of the order of both lengths' product at most. */
export function matchesGlob(pattern: string, name: string): boolean {
  let [at, here] = [0, 0];
  /** The last `*` passed, and where in the name what it stands for ends so far. */
  let star: { at: number; upTo: number } | undefined;
  while (here < name.length) {
    if (pattern[at] === '*') {
      star = { at, upTo: here };
      at += 1;
    } else if (pattern[at] === name[here]) {
      at += 1;
      here += 1;
    } else if (star !== undefined) {
      star.upTo += 1;
      at = star.at + 1;
      here = star.upTo;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
