import type { ToolFailure } from '../../shared/stacks/tool-work.ts';

/** Ends a job: what is told of it is the failure alone. */
export class ToolFailed extends Error {
  readonly failure: ToolFailure;

  constructor(failure: Omit<ToolFailure, 'did' | 'diagnostics'> & Partial<Pick<ToolFailure, 'diagnostics'>>) {
    super(failure.message);
    this.failure = { did: 'failed', diagnostics: [], ...failure };
  }
}
