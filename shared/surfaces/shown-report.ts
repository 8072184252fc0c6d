import type { RunReport } from '../run/report.ts';

/** A report as it is shown at the code host and in Slack, and the name of the stack that its commands are typed for. */
export interface ShownReport extends RunReport {
  /** Absent where nobody knows it: whoever types a command does. */
  readonly stack?: string;
}
