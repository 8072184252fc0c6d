import { type Entry, isDeed, isIntent } from './entry.ts';
import type { Head } from './head.ts';

/**
 * Which entries a run made, in any of its rounds, and may undo (P4): not what was adopted, and not what another run has since
 * settled and thereby reported as managed, nor what stands in the place of something that it deleted because a person said so. What a person did, and a request that was sent, stand in any case (R1.55, R1.56).
 */
export function madeBy(run: string, head: Head | undefined): (entry: Entry) => boolean {
  const others = [head?.settled, head?.settledBefore].filter((settled) => settled !== undefined && settled.run !== run);
  const reportedUpTo = Math.max(0, ...others.map((settled) => settled?.fence ?? 0));
  return (entry) =>
    entry.run === run && entry.createdBy !== 'adopted' && entry.replaces?.run !== run && !isDeed(entry) && (isIntent(entry) || entry.fence > reportedUpTo);
}
