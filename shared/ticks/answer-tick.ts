import { issueItemOf } from '../dashboard/issue-item.ts';
import type { Tick } from '../dashboard/tick.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { passes } from '../intake/passes.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { issueKey } from '../table/keys.ts';
import { refuseTick } from './end-tick.ts';
import { judgeTick } from './judge-tick.ts';
import { rescanTick } from './rescan-tick.ts';
import { joinRun, startTicked } from './start-ticked.ts';
import { whoTicked } from './who-may-tick.ts';

/** How long a tick stands for what it was: its run must have begun to write by then, ms. */
export const tickLasts = 3_600_000;
/** How long a host that does not answer keeps a tick waiting, ms: nobody is judged without being looked up. */
const unansweredFor = 600_000;

/**
 * Judges a tick: whose it is, whether the row still shows what was ticked, and whether they may, all looked up now. What it comes to is a run,
 * an answer to one that asks, or a word to whoever ticked.
 *
 *     run ─▶ whose it is ─▶ tick: working          a death in between: found again by the run, which names the tick
 */
export async function answerTick(world: ControlWorld, tick: Tick, sk: string): Promise<void> {
  if (await joinRun(world, tick, sk)) return;
  const refused = await orUnanswered(world, tick, () => judgeAndStart(world, tick, sk));
  if (refused) await refuseTick(world, tick, refused);
}

async function judgeAndStart(world: ControlWorld, tick: Tick, sk: string): Promise<Problem | undefined> {
  const by = whoTicked(tick);
  if ('code' in by) return by;
  if (tick.late) return { code: 'TICK_STALE', message: 'The box had been answered by then: the page was an older one.' };
  const expiresAt = Date.parse(tick.at) + tickLasts;
  if (expiresAt <= world.clock.now()) return { code: 'EXPIRED', message: 'It was ticked more than an hour before anybody saw to it.', hint: 'Tick it again.' };
  const repository = await repositoryOf(world, tick.repository);
  if (!repository) return { code: 'NOT_FOUND', message: 'GitHub knows this repository no more.' };
  const { box } = tick;
  if (box === 'rescan') return rescanTick(world, tick, sk, repository, by.login);
  const judged = await judgeTick(world, { ...tick, box }, repository, by.login);
  if ('code' in judged) return judged;
  await startTicked(world, { ...tick, box }, sk, { ...judged, by: by.login, expiresAt });
  return undefined;
}

/** @throws what the host throws, until that has been long: then the box is cleared, and a fresh tick is asked for. */
async function orUnanswered(world: ControlWorld, tick: Tick, judge: () => Promise<Problem | undefined>): Promise<Problem | undefined> {
  try {
    return await judge();
  } catch (error) {
    const problem = problemOf(error);
    if (!passes(problem)) return problem;
    if (isOurs(problem) || world.clock.now() < Date.parse(tick.at) + unansweredFor) throw error;
    return { code: 'TICK_UNVERIFIED', message: 'GitHub did not say who may do this.' };
  }
}

/** The table's or our own failure, and not the host's. */
const isOurs = ({ code }: Problem): boolean => code === 'INTERNAL' || code === 'STORE_UNREACHABLE';

/** The repository as the host tells it now: it may have another name, and another default branch. */
async function repositoryOf(world: ControlWorld, id: string): Promise<Repository | undefined> {
  const known = issueItemOf(await world.table.get(issueKey(id)))?.repository;
  const found = known && (await world.codeHost.repository(known));
  return found?.id === id && world.serves(found) ? found : undefined;
}
