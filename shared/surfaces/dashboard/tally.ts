import { type Row, type RowState, stateOf } from '../../dashboard/row.ts';

/** How many rows are in each state, and what else the head of the page tells. */
export interface Tally {
  readonly rows: number;
  readonly states: Readonly<Record<RowState, number>>;
  /** Rows with something pending that deletes or replaces. */
  readonly destructive: number;
  /** Rows whose last run ended badly. */
  readonly failed: number;
}

export function tally(rows: readonly Row[]): Tally {
  const states = { deploying: 0, 'preview-failed': 0, pending: 0, drift: 0, 'in-sync': 0, unknown: 0 };
  for (const row of rows) states[stateOf(row)] += 1;
  const failed = rows.filter((row) => row.lastFailed && stateOf(row) !== 'deploying').length;
  return { rows: rows.length, states, destructive: rows.filter(takesAway).length, failed };
}

/** Whether what is pending deletes a resource or makes one anew. */
export const takesAway = ({ pending }: Pick<Row, 'pending'>): boolean => (pending?.counts.delete ?? 0) + (pending?.counts.replace ?? 0) > 0;

/** What the picture shows: the first that holds. */
export type HeaderState = 'first-run' | 'failing' | 'deploying' | 'pending' | 'drift' | 'in-sync';

export function headerStateOf({ rows, states, failed }: Tally): HeaderState {
  if (rows === 0 || states.unknown === rows) return 'first-run';
  if (states['preview-failed'] + failed > 0) return 'failing';
  if (states.deploying > 0) return 'deploying';
  if (states.pending > 0) return 'pending';
  return states.drift > 0 ? 'drift' : 'in-sync';
}

export const headerStates: readonly HeaderState[] = ['first-run', 'failing', 'deploying', 'pending', 'drift', 'in-sync'];
