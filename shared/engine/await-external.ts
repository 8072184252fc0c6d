import type { Code } from '../errors/codes.ts';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import { registerOutputs } from './inspect.ts';
import type { Inspecting } from './inspecting.ts';
import type { Outputs } from './op.ts';

/**
 * Outputs with those of outside events that have happened; `failed` when one never will; `unasked` when the provider did not say, so
 * that somebody has to ask again: its event may have come and gone.
 */
export interface Awaited {
  readonly outputs: Outputs;
  readonly failed?: Problem;
  readonly unasked?: true;
}

/**
 * Asks once for the outputs that an outside event gives. Not yet, or a provider that cannot be asked now: they stay
 * unknown, and the lines that need them wait for the event (R1.49).
 */
export async function awaitOutputs(job: Inspecting, outputs: Outputs): Promise<Awaited> {
  const { op, params, call } = job;
  if (!op.awaitExternal) return { outputs };
  const awaited = await askOutside(outputs, async () => op.awaitExternal?.(params, call));
  registerOutputs(job, awaited.outputs);
  return awaited;
}

/** Asks once for outputs, beside those there are. */
export async function askOutside(outputs: Outputs, ask: () => Promise<Outputs | undefined>): Promise<Awaited> {
  try {
    const external = await ask();
    return external ? { outputs: { ...outputs, ...external } } : { outputs };
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    if (error.code === 'EXTERNAL_FAILED') return { outputs, failed: error.problem };
    return passing.has(error.code) ? { outputs, unasked: true } : { outputs };
  }
}

/** What may be otherwise the next time. */
const passing: ReadonlySet<Code> = new Set(['PROVIDER_AGAIN', 'PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT']);
