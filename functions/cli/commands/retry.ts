import { retryRun } from '../../../shared/run/retry.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnew } from './run-anew.ts';

/** `retry`: runs an ended run again, and shows how the new one rests. @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER. */
export const retryCommand = (invocation: Invocation, surroundings: Surroundings): Promise<Answer> =>
  runAnew(invocation, surroundings, (store, run, busy) => retryRun(store, { ...run, options: { ...run.options, busy } }));
