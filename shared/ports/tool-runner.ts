/** What a job may do, and so which role it runs under: a plan can never become an apply. */
export type ToolPurpose = 'plan' | 'apply';

/** `unknown`: the runner has never heard of it, or has forgotten it: it has ended. */
export type ToolJobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'stopped' | 'timed-out' | 'unknown';

/** One process for one job, told nothing but its token: what it is to do it finds in its mailbox (P9). */
export interface ToolJobRequest {
  /** Chosen and recorded before the start; unguessable. A second start with it is the same job. */
  readonly token: string;
  readonly purpose: ToolPurpose;
  /** When the runner ends the job by itself, ms after it began. */
  readonly timeoutMs: number;
}

/**
 * Where an infrastructure tool runs: a child process beside the embedded stack, a CodeBuild build in AWS.
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the runner cannot be asked; a start may then have happened.
 */
export interface ToolRunner {
  /** Starts the job, or finds the one that this token started. Returns the runner's id of it. */
  start(request: ToolJobRequest): Promise<string>;
  state(job: string): Promise<ToolJobState>;
  /** Asks for its end. It has ended only when `state` says so. Stopping what has ended does nothing. */
  stop(job: string): Promise<void>;
}
