import type { IssueItem } from './issue-item.ts';
import { gatherSeconds } from './mark.ts';

/** GitHub takes 500 writes of content an hour from one App and then none: beyond this many the rest of the hour goes slower. */
const briskly = 300;
const slowSeconds = 20;
const hourMs = 3_600_000;

/** When the body may be written next, epoch ms: three seconds after it was written last at the earliest. */
export function mayWriteAt({ wroteAt, hour, writes = 0 }: IssueItem, now: number): number {
  if (wroteAt === undefined) return now;
  const slow = hour === hourOf(now) && writes >= briskly;
  return wroteAt + (slow ? slowSeconds : gatherSeconds) * 1000;
}

/** What is remembered of a write for that. */
export function written({ hour, writes = 0 }: IssueItem, now: number): Pick<IssueItem, 'wroteAt' | 'hour' | 'writes'> {
  return { wroteAt: now, hour: hourOf(now), writes: hour === hourOf(now) ? writes + 1 : 1 };
}

const hourOf = (now: number): number => Math.floor(now / hourMs);
