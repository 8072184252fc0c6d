import type { Delivery } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';

/** GitHub keeps deliveries for three days, and repeats none that is older. */
const oldest = 3 * 24 * 3_600_000;
/** An attempt younger than this may still be answered, or be a person's own. */
const patience = 5 * 60_000;
/** Attempts at one event, the first included, after which it is given up. */
const mostAttempts = 4;
/** Of one look: deliveries read, and events asked for. */
const most = { read: 1000, asked: 20 } as const;
/** Answers that say what is wrong with the event itself: told again, it is refused again. */
const refusals: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/**
 * Asks the host once more for events that it tried to tell and could not. An event with any attempt that arrived is left alone, and so
 * is one that was tried often enough: the list itself says how often, so that nothing is remembered here.
 *
 * @param until when to stop, epoch ms. @returns how many were asked for.
 */
export async function askForFailedDeliveries(world: ControlWorld, until: number): Promise<number> {
  const { deliveries } = world.codeHost;
  if (!deliveries) return 0;
  const now = world.clock.now();
  const events = new Map<string, Delivery[]>();
  let read = 0;
  for await (const delivery of deliveries.since(now - oldest)) {
    events.set(delivery.guid, [...(events.get(delivery.guid) ?? []), delivery]);
    if (++read >= most.read || world.clock.now() > until) break;
  }
  const lost = [...events.values()].filter((attempts) => isLost(attempts, now)).slice(0, most.asked);
  let asked = 0;
  for (const [newest] of lost) {
    if (!newest || world.clock.now() > until) break;
    await deliveries.again(newest.id);
    asked += 1;
  }
  return asked;
}

/** Newest first. */
function isLost(attempts: readonly Delivery[], now: number): boolean {
  const [newest] = attempts;
  if (!newest || attempts.length >= mostAttempts || newest.at > now - patience) return false;
  return !attempts.some(arrived) && !refusals.has(newest.status);
}

const arrived = ({ status }: Delivery): boolean => status >= 200 && status < 300;
