import type { Run } from '../run/items.ts';
import { present } from '../table/condition.ts';
import { scanKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { endedAttribute } from './scan-item.ts';

/**
 * A scan of a plan has ended, whatever it found, so that nobody is told that none does. Written beside whoever moves the schedule on, without
 * its version; one that began earlier and ends later says the same.
 */
export async function noteScanEnded(writer: Writer, run: Run, at: string): Promise<void> {
  if (run.options.scan?.by === 'push') return;
  await write(writer, scanKey(run.repository.id, run.environment), { set: { [endedAttribute(run.plan.name)]: at } }, present);
}
