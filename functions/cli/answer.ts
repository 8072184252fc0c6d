import type { Problem } from '../../shared/errors/error.ts';
import type { Painter } from '../../shared/surfaces/paint.ts';

/** What text is made for. */
export interface Screen {
  readonly paint: Painter;
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
  /** Columns of the terminal; absent where there is none, so that nothing is broken for a program that reads along. */
  readonly columns?: number;
}

/** What a command comes to, for a person and for a program. */
export interface Answer {
  readonly exit: number;
  /** Why the exit code is not 0; there exactly then. */
  readonly problem?: Problem;
  /** The fields of the envelope beside `ok`, `command` and `error`. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: (screen: Screen) => string;
  /** The same text in pieces, where it may be too long to lie in memory beside what it is made of. */
  readonly pieces?: (screen: Screen) => Iterable<string>;
}
