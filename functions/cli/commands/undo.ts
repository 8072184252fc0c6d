import { undoRun } from '../../../shared/run/undo.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import type { Surroundings } from '../surroundings.ts';
import { runAnew } from './run-anew.ts';

/** `undo`: removes what a run that is over created, in a run of its own, and shows how that rests. @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER. */
export const undoCommand = (invocation: Invocation, surroundings: Surroundings): Promise<Answer> =>
  runAnew(invocation, surroundings, (store, run, busy) => undoRun(store, run, { busy }));
