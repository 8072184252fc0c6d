import type { Tenure } from '../lease/lease.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import type { Deadline } from '../run/deadline.ts';
import type { Inspecting } from './inspecting.ts';
import type { Attempt } from './parent.ts';

/** A line under its run's lease. */
export interface Applying extends Inspecting {
  readonly tenure: Tenure;
  readonly guard: Deadline;
  readonly ledger: LedgerLine;
  readonly attempt: Attempt;
}
