import type { BoxMarker } from '../../dashboard/box.ts';
import type { Row } from '../../dashboard/row.ts';
import type { Freeze } from '../../freeze/freeze.ts';

/** All that the dashboard's body is made of. The same facts give the same bytes. */
export interface DashboardFacts {
  /** In any order. */
  readonly rows: readonly Row[];
  /** Boxes that have been ticked and are not answered, by their marker's text, with whose they are. */
  readonly ticked: ReadonlyMap<string, { readonly by?: string }>;
  /** How often a box was ticked and answered before, by {@link answeredKey}. */
  readonly answered: ReadonlyMap<string, number>;
  /** Pull requests of which something is released in a preview. */
  readonly previews: number;
  /** The rows that a scan is looking at, in any order. */
  readonly looking: readonly Pick<Row, 'plan' | 'environment'>[];
  /** Freezes that hold. */
  readonly freezes: readonly Freeze[];
  /** The box that has everything looked at again. */
  readonly rescan: Pick<BoxMarker, 'run' | 'digest'>;
  /** When everything was last looked at because somebody ticked, ISO 8601, and who did. */
  readonly lookedFor?: { readonly at: string; readonly by?: string };
  readonly pictures?: string;
  /** Where commands are typed: of which branch the rows are, and in which stack. Absent: a machine's own. */
  readonly at: TypedAt;
}

export interface TypedAt {
  readonly branch: string;
  readonly stack?: string;
}
