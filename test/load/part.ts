import type { Row } from '../bench/row.ts';

/** One thing that is loaded: what it demands, as rows, and what is told while it goes on. */
export interface Part {
  readonly about: string;
  readonly measure: (tell: (line: string) => void) => Promise<Row[]>;
}
