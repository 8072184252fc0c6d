import { isStanding, type Tick, tickOf } from '../dashboard/tick.ts';
import type { ControlWorld } from '../run/world.ts';
import { dashboardPartition } from '../table/keys.ts';
import { answerTick } from './answer-tick.ts';
import { lookAfter } from './look-after.ts';

/**
 * What is due of one tick: nobody has judged it yet, or the run that it started has ended. Repeated it changes nothing.
 *
 * @param sk of the tick's item.
 */
export async function tickStep(world: ControlWorld, repository: string, sk: string): Promise<void> {
  const item = await world.table.get({ pk: dashboardPartition(repository), sk });
  if (!item) return world.log.warn('a message names a tick that is not recorded', { repository, tick: sk });
  const tick: Tick = tickOf(item);
  if (tick.state === 'asked') return answerTick(world, tick, sk);
  if (tick.started !== undefined && (isStanding(tick) || tick.say === undefined)) return lookAfter(world, tick);
}
