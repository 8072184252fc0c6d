import type { Chapter } from './chapter.ts';
import { again } from './chapters/again.ts';
import { closing } from './chapters/closing.ts';
import { consoleEdit } from './chapters/console.ts';
import { deployment } from './chapters/deployment.ts';
import { drift } from './chapters/drift.ts';
import { moved } from './chapters/moved.ts';
import { neighbour } from './chapters/neighbour.ts';
import { opening } from './chapters/opening.ts';
import { production } from './chapters/production.ts';
import { refusal } from './chapters/refusal.ts';
import { stack } from './chapters/stack.ts';
import { takeover } from './chapters/takeover.ts';
import { unchanged } from './chapters/unchanged.ts';

/** The story, in the order in which it is told. */
export const chapters: readonly Chapter[] = [
  opening,
  again,
  unchanged,
  consoleEdit,
  deployment,
  neighbour,
  refusal,
  takeover,
  closing,
  production,
  moved,
  drift,
  stack,
];

/** The chapters of these names with all that they begin with, in order; the whole story for none. */
export function chosen(names: readonly string[]): readonly Chapter[] {
  if (names.length === 0) return chapters;
  const wanted = new Set(names);
  for (const chapter of chapters.toReversed()) if (wanted.has(chapter.name)) for (const name of chapter.after) wanted.add(name);
  return chapters.filter((chapter) => wanted.has(chapter.name));
}
