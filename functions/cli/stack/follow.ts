import type { Run } from '../../../shared/run/items.ts';
import { Interrupted } from '../interrupted.ts';
import { type Patience, untilRest } from '../runs/await-run.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Typed } from '../typed.ts';
import { type DeployedStack, sessionOf } from './stack.ts';

/** How often a run is looked at, ms: a request each. */
const everyMs = 500;

export const patienceOf = ({ console, signal }: Pick<Surroundings, 'console' | 'signal'>): Patience => ({ progress: console.progress, signal, everyMs });

/** The flags by which the next command finds the same run. */
export const typedFor = ({ name }: DeployedStack): Typed => ({ sim: false, local: false, stateDir: '.lockkeeper', stack: name });

/**
 * Waits until a run of a stack rests.
 *
 * @throws Interrupted, with how to look at the run, which goes on.
 */
export async function restInStack(stack: DeployedStack, id: string, patience: Patience): Promise<Run> {
  const run = await untilRest(sessionOf(stack), id, patience).catch((error: unknown) => {
    throw error instanceof Interrupted ? stillRunning(stack, id) : error;
  });
  patience.progress.clear();
  return run;
}

/** Ctrl-C: what was asked for goes on without us. */
export const stillRunning = ({ name }: DeployedStack, id: string): Interrupted =>
  new Interrupted(id, `It goes on in the stack: \`lockkeeper log ${id.slice(0, 12)} --stack ${name}\` shows how.`);
