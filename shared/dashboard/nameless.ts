import type { ControlWorld } from '../run/world.ts';
import { moveTick } from './move-tick.ts';
import type { Tick } from './tick.ts';

/** How long the host has to tell whose a tick is, ms. */
const patience = 15 * 60_000;

/**
 * Clears ticks of which nobody could say in time whose they are: whoever it was ticks once more.
 *
 * @returns the ticks as they are then, and whether any still waits for its name.
 */
export async function expireNameless(world: ControlWorld, ticks: readonly Tick[]): Promise<{ readonly ticks: readonly Tick[]; readonly waits: boolean }> {
  const now = world.clock.now();
  const after: Tick[] = [];
  for (const tick of ticks) {
    const late = tick.state === 'nameless' && now - Date.parse(tick.at) > patience;
    after.push((late && (await moveTick(world, tick, { state: 'expired' }))) || tick);
  }
  return { ticks: after, waits: after.some(({ state }) => state === 'nameless') };
}
