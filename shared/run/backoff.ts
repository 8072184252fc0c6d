/** How long until the sweep starts another round of a run by itself, ms: less and less often, at most daily. */
export function untilNextRound(round: number): number {
  const quarterHours = Math.min(96, 2 ** Math.min(round - 1, 7));
  return quarterHours * 15 * 60_000;
}
