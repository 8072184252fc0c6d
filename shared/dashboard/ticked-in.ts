import type { IssueEdit } from '../ports/code-host.ts';
import type { BoxMarker } from './box.ts';
import { boxesIn, boxMarker } from './marker.ts';

/** What somebody did to one box. */
export interface Ticking {
  readonly marker: BoxMarker;
  /** False: somebody took their tick back. */
  readonly ticked: boolean;
  readonly by: { readonly login: string; readonly type: string };
  readonly at: string;
}

/**
 * Who ticked what, from the host's own history of the body. An event tells the body as it was when it was delivered, and two people's edits
 * may both be in it; here each state of the body has its author. A tick that a write of ours went over was made all the same, and counts.
 *
 *     them: tick ──▶ us: a body that was made before ──▶ the history still has their state, with their name
 *
 * What was ticked and taken back is taken back; of the ticks after that each counts, since each may be another person's.
 *
 * @param edits newest first, back to one that was looked at before: what that one says is not news. Where a state is missing, what the next
 * one holds has no author.
 */
export function tickedIn(edits: readonly IssueEdit[]): Ticking[] {
  const done = new Map<string, Ticking[]>();
  const states = edits.toReversed();
  states.forEach(({ body, by, at }, index) => {
    const before = states[index - 1]?.body;
    if (body === null || by === null || by.ours || before === null || before === undefined) return;
    const was = new Map(boxesIn(before).map(({ marker, ticked }) => [boxMarker(marker), ticked]));
    for (const { marker, ticked } of boxesIn(body)) {
      const text = boxMarker(marker);
      // A box that did not stand there before is ticked by whoever wrote it. Whether it is one of ours, the caller asks.
      if (ticked === (was.get(text) ?? false)) continue;
      const one = { marker, ticked, by: { login: by.login, type: by.type }, at };
      done.set(text, ticked ? [...(done.get(text) ?? []), one] : [one]);
    }
  });
  return [...done.values()].flat();
}
