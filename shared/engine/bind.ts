import type { ProviderBlock, ReleaseContext } from '../plan/types.ts';
import type { Op, OpCall } from './op.ts';

/** Asked right before every request that may write: throws when its time-out would not end before the job's deadline (P1.2). */
export interface WriteGuard {
  beforeWrite(timeoutMs: number): void | Promise<void>;
}

/** What one job adds to an op so that it can be called. */
export interface Binding {
  /** The line that needs it, for messages. */
  readonly line: string;
  /** Credential values by variable name. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly provider: ProviderBlock;
  readonly context: ReleaseContext;
  readonly guard: WriteGuard;
}

/** Gives an op its HTTP client. The composition root supplies it, so that the engine knows no adapter. */
export type BindOp = (op: Op, binding: Binding) => Omit<OpCall, 'identity'>;
