import type { Problem } from '../errors/error.ts';
import { MOST_PROBLEMS } from './tree.ts';

/** Adds a problem; it is only made where there is room for it, since suggestions cost time. */
export type Add = (problem: () => Problem) => void;

/** The problems of one stage on top of those of the stages before it. */
export interface Findings {
  readonly add: Add;
  /** All, in the order of the file. */
  all(): readonly Problem[];
}

/** Starts a stage. A place where an earlier stage has found something is passed over: one mistake is told once. Ends at `MOST_PROBLEMS`. */
export function findings(earlier: readonly Problem[] = []): Findings {
  const found = [...earlier];
  const told = new Set(earlier.map(place));
  return {
    add: (make) => {
      if (found.length >= MOST_PROBLEMS) return;
      const problem = make();
      if (!told.has(place(problem))) found.push(problem);
    },
    all: () => found.toSorted(byPlace),
  };
}

/** The order of the file; problems without a place come first. */
export function byPlace(a: Problem, b: Problem): number {
  return (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0);
}

const place = ({ at }: Problem): string => `${at?.line}:${at?.column}`;
