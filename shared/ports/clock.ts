/** Time as the domain sees it. Nothing else in the domain reads a clock or waits. */
export interface Clock {
  /** Now, in milliseconds since the epoch, by this machine's clock (it may be off by the template's skew). */
  now(): number;
  /** Resolves after `ms` milliseconds. Only the HTTP client waits, two seconds at most. */
  sleep(ms: number): Promise<void>;
}
