import { equal } from '../table/condition.ts';
import { deliveryKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/** A click that is handled leaves the sweep's list. */
export async function closeClick(world: Writer, id: string, status: 'done' | 'died'): Promise<void> {
  await write(world, deliveryKey(id), { set: { status }, remove: ['since'] }, equal('status', 'recorded'));
}
