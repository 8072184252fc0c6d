/**
 * The moment an event of the schedule was to happen, epoch ms. Undefined for one that says none, as those of an earlier template do, and for one
 * that somebody sent by hand: that is asked for now.
 */
export function scheduledTime(text: string | undefined): number | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
