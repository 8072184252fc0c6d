import { endSilence, isLong, nextLook, silenceOf, watchedHost } from '../run/host-away.ts';
import type { Run } from '../run/items.ts';
import { queueStep } from '../run/phase.ts';
import { releaseAndWake } from '../run/release.ts';
import { freedStep, readRun, saveOrAgain } from '../run/run-store.ts';
import { hostAsSeen, keepPolicy } from '../run/seen.ts';
import type { ControlWorld } from '../run/world.ts';
import { guard } from './guard.ts';

/**
 * The guard, where the host may be away. While it is silent nothing goes on: the run gives its lease back and looks again, so that no message
 * of it dies of waiting. After a long silence it is judged by what was stored when it was asked, and by the answers of people who are mapped
 * to an AWS principal alone (the break-glass): it goes on with a head that nobody has verified, which its receipt says, and an alarm tells.
 *
 * At a person's machine the host is git, and its failures are theirs to see.
 */
export async function guardOrBreakGlass(world: ControlWorld, run: Run): Promise<void> {
  if (world.stack === 'embedded') return guard(world, run);
  const watched = watchedHost(world);
  try {
    await guard(watched.world, run);
  } catch (error) {
    if (watched.away(error)) return whileAway(world, await keepPolicy(world, run, watched.policy()), error);
    if (watched.hasAnswered()) await endSilence(world, run);
    throw error;
  }
  if (watched.hasAnswered()) await endSilence(world, run);
}

async function whileAway(world: ControlWorld, run: Run, error: unknown): Promise<void> {
  const away = silenceOf(run, world.clock.now());
  const asSeen = isLong(away) ? await hostAsSeen(world, run, error) : undefined;
  if (asSeen && (await guardAsSeen(world, run, asSeen, error))) return;
  const now = await readRun(world.table, run.id);
  // Whatever it has become by then is somebody else's to go on with.
  if (now?.phase !== 'guarding' || now.version !== run.version) return;
  const waiting = await saveOrAgain(world, now, { away, step: freedStep(now), status: 'open', since: new Date(world.clock.now()).toISOString() });
  await releaseAndWake(world, waiting);
  await queueStep(world, waiting, nextLook);
}

/** False: what was stored does not say enough, and the run waits for the host. */
async function guardAsSeen(world: ControlWorld, run: Run, codeHost: ControlWorld['codeHost'], away: unknown): Promise<boolean> {
  try {
    await guard({ ...world, codeHost }, run);
  } catch (error) {
    if (error === away) return false;
    throw error;
  }
  return true;
}
