import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import { durationMs, durationPattern } from '../policy/duration.ts';

/** Whoever accepts an edit for longer makes it the plan. */
const longestAccepted = 90;

const day = z.iso.date();
const moment = z.iso.datetime({ offset: true });

/**
 * The moment that a person names: a day (its beginning, UTC), a moment with its offset, or a duration from when it was said.
 *
 * @param now epoch ms. @returns ISO 8601, UTC. @throws LockkeeperError USAGE for none of the three, and for one that is past, or too far away.
 */
export function untilOf(written: string, now: number, longestDays = longestAccepted): string {
  const usage = (message: string) => refused(message, longestDays);
  const at = momentOf(written, now);
  if (at === undefined) throw usage(`${JSON.stringify(written)} is no date and no duration.`);
  if (at <= now) throw usage(`${JSON.stringify(written)} is past.`);
  if (at > now + durationMs(`${longestDays}d`)) throw usage(`${JSON.stringify(written)} is more than ${longestDays} days away.`);
  return new Date(at).toISOString();
}

function momentOf(written: string, now: number): number | undefined {
  if (durationPattern.test(written)) return now + durationMs(written);
  if (day.safeParse(written).success) return Date.parse(`${written}T00:00:00.000Z`);
  return moment.safeParse(written).success ? Date.parse(written) : undefined;
}

const refused = (message: string, longestDays: number): LockkeeperError =>
  new LockkeeperError({
    code: 'USAGE',
    message,
    hint: `Say until when: a day as 2027-01-31, a moment as 2027-01-31T18:00:00Z, or 7d, 12h, 30m from now; at most ${longestDays} days.`,
  });
