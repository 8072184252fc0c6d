/** What people do to the body, as it stands before them: each gives the text that they save. */
import { boxesIn, boxMarker } from '../../shared/dashboard/marker.ts';
import type { Random } from './random.ts';

export interface Save {
  readonly name: string;
  /** @param opened the body as it was when its page was opened: the host writes the whole of what is saved over what stands there by then. */
  readonly change: (opened: string, random: Random) => string;
}

const lineEnd = '\r\n';
const linesOf = (body: string): string[] => body.split(/\r?\n/);

/** The body with one box changed; as it is where there is no such box. */
function withBox(body: string, random: Random, ticked: boolean): string {
  const boxes = boxesIn(body).filter((one) => one.ticked === ticked);
  if (boxes.length === 0) return body;
  const marker = boxMarker(random.one(boxes).marker);
  return linesOf(body)
    .map((line) => (line.includes(marker) ? line.replace(/^- \[[ xX]\]/, ticked ? '- [ ]' : random.chance(0.2) ? '- [X]' : '- [x]') : line))
    .join(lineEnd);
}

const tick = (body: string, random: Random): string => withBox(body, random, false);
const untick = (body: string, random: Random): string => withBox(body, random, true);

/** Every save, the frequent ones more than once. */
export const saves: readonly Save[] = [
  ...Array.from({ length: 7 }, () => ({ name: 'ticks', change: tick })),
  { name: 'ticks two', change: (body, random) => tick(tick(body, random), random) },
  { name: 'ticks and types', change: (body, random) => `${tick(body, random)}${lineEnd}a note` },
  { name: 'unticks', change: untick },
  { name: 'types around it', change: (body) => `first${lineEnd}${body}${lineEnd}last` },
  { name: 'empties it', change: () => '' },
  { name: 'cuts it', change: (body, random) => body.slice(0, random.below(body.length + 1)) },
  { name: 'ticks what has lost a value', change: (body, random) => tick(body, random).replace(/ env="[^"]*"/, '') },
  { name: 'ticks another digest', change: (body, random) => tick(body, random).replace(/digest="[0-9a-f]/g, 'digest="0') },
  { name: 'ticks another environment', change: (body, random) => tick(body, random).replaceAll(/env="(staging|production)"/g, 'env="elsewhere"') },
  {
    name: 'copies its boxes',
    change: (body, random) =>
      `${body}${lineEnd}${linesOf(tick(body, random))
        .filter((line) => line.startsWith('- ['))
        .join(lineEnd)}`,
  },
];
