/** How often what was to happen did happen, over all stories that did anything. */
import type { Mark, Stage } from './stage.ts';

export interface Tally {
  add(stage: Stage): void;
  /** The share of stories in which something happened, 0 to 1. */
  share(mark: Mark): number;
  toString(): string;
}

export function tally(): Tally {
  const counts = new Map<Mark, number>();
  let stories = 0;
  let lines = 0;
  let writes = 0;
  let deliveries = 0;
  const share = (mark: Mark) => (counts.get(mark) ?? 0) / Math.max(1, stories);
  return {
    add({ marks, story, sent, deliveries: delivered }) {
      stories += 1;
      lines += story.lines.length;
      writes += sent.length;
      deliveries += delivered;
      for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    },
    share,
    toString() {
      const shares = [...counts.keys()].sort().map((mark) => `${mark} ${(100 * share(mark)).toFixed(1)} %`);
      return `${stories} stories, ${lines} lines, ${writes} writes to the provider, ${deliveries} deliveries: ${shares.join(', ')}`;
    },
  };
}
