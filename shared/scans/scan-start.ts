/** What starts a scan. */
export type ScanCause = 'schedule' | 'person' | 'push';

/** How a scan was started: `Run.options.scan`. */
export interface ScanOptions {
  readonly by: ScanCause;
  /** The scheduled time (ISO 8601), the id of a person's request, or the pushed commit: with plan and environment, the run's id. */
  readonly slot: string;
  /** Only these lines are looked at for drift. Absent: all of them (R2.3). */
  readonly lines?: readonly string[];
  /** GitHub login of whoever asked. */
  readonly person?: string;
}
