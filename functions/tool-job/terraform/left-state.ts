import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { statePushArgs } from '../../../shared/stacks/terraform/commands.ts';
import type { Workplace } from '../driver.ts';
import type { Calls } from './calls.ts';
import { isDone } from './calls.ts';

/** Where the tool leaves a state that it could not save: what it made is recorded nowhere else. */
const leftState = 'errored.tfstate';

/** Before each attempt, ms: a backend that does not answer mostly does a little later. Who has asked the job to end waits two minutes for its answer. */
const pauses = [0, 5_000, 20_000];

/**
 * Saves the state that an apply left behind, the way the tool itself asks for: `state push`, which refuses by itself where the state has moved.
 * The job's folder goes away, so that nobody else could. Where it fails, what was reported and not recorded is named.
 */
export async function pushLeftState({ root, words, sleep, work }: Workplace, { call }: Calls): Promise<void> {
  if (!existsSync(join(root, leftState))) return;
  for (const pause of pauses) {
    await sleep(pause);
    const end = await call(statePushArgs(leftState), { readsBack: true });
    if (end.end === 'exited') words.say(end.stderr);
    if (isDone(end)) return words.say(`Saved by ${work.tool} state push.`);
  }
}
