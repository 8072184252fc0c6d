import type { Problem } from '../errors/error.ts';
import { frozen, frozenProblem } from '../freeze/frozen.ts';
import type { Policy } from '../policy/types.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';
import { readTickers } from './tickers.ts';
import { whyNotTick } from './who-may-tick.ts';

/**
 * The guard of what nobody is asked about and a tick is bound to: that its time has not run out while the run waited, that nothing is frozen, and
 * that whoever ticked still may, looked up again. False: the run has ended.
 */
export async function honourTicked(world: ControlWorld, run: Run, policy: Policy): Promise<boolean> {
  const found = await refusal(world, run, policy);
  if (!found) return true;
  await closeEarly(world, run, found.code === 'EXPIRED' ? 'expired' : 'failed', found.message, found);
  return false;
}

async function refusal(world: ControlWorld, run: Run, policy: Policy): Promise<Problem | undefined> {
  const { ticked } = run.options;
  if (ticked && ticked.expiresAt <= world.clock.now())
    return { code: 'EXPIRED', message: 'What was ticked waited too long: nothing of it was done.', hint: 'Tick the box again.' };
  const freeze = await frozen(world, run);
  if (freeze) return frozenProblem(freeze);
  if (world.codeHost.unverified) return { code: 'TICK_UNVERIFIED', message: 'GitHub does not answer: nobody could see whether whoever ticked still may.' };
  const place = { repository: run.repository, environment: run.environment, commit: run.commit, protects: [] };
  let why: Problem = { code: 'TICK_UNVERIFIED', message: 'Nobody is known to have ticked it.' };
  for (const { login } of await readTickers(world.table, run)) {
    const refused = await whyNotTick(world, policy, place, login);
    if (!refused) return undefined;
    why = refused;
  }
  return why;
}
