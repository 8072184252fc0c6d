import { type GivenBefore, type Person, withdraw } from '../approvals/decision.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { findAsked } from './questions.ts';
import type { JobWorld } from './world.ts';

/** A second, in which GitHub tells times. */
const second = 1000;

/**
 * The answers that a comment can have meant which the host may tell of late: those given before it was written. Its clock and ours may differ, and it
 * tells whole seconds. In doubt what was approved is taken back, and what was rejected stays: either way nothing is applied that nobody wants.
 *
 * @param written epoch ms.
 */
export const givenBefore = (written: number, { skew }: { readonly skew: number }): GivenBefore => ({
  approve: new Date(written + second + skew).toISOString(),
  reject: new Date(written - skew).toISOString(),
});

/**
 * One person takes their own answer back: the question stays open, for them too, until the guard has honoured what was answered (P7). The run
 * is woken: it may be on its way to the guard, which then finds nobody's word and goes back.
 *
 * @param wanted the beginning of the plan's digest. @param given which answers are meant; absent: the one that stands.
 * @returns the run that asks. @throws LockkeeperError USAGE, QUESTION_UNKNOWN; NOT_FOUND where they have not answered; TOO_LATE.
 */
export async function withdrawAnswer(
  world: Pick<JobWorld, 'table' | 'queues' | 'ids' | 'clock'>,
  repository: string,
  wanted: string,
  by: Person,
  given?: GivenBefore,
): Promise<Run> {
  const { run, digest, q } = await findAsked(world, repository, wanted);
  const now = new Date(world.clock.now()).toISOString();
  // What is told later still, and was given after this, is another answer.
  const at = given && given.approve < now ? given.approve : now;
  const said = await withdraw(world, { digest, q, run: run.id }, by, at, given);
  const [plan, short] = [digest.slice(0, 12), run.id.slice(0, 12)];
  if (said === 'none')
    throw new LockkeeperError({ code: 'NOT_FOUND', message: `You have given no answer to plan ${plan}.`, hint: 'There is nothing to take back.' });
  if (said === 'later') {
    const message = `Your answer to plan ${plan} was given after you wanted to take one back, and it stands.`;
    throw new LockkeeperError({ code: 'TOO_LATE', message, hint: 'If that one is to be taken back, say so once more.' });
  }
  if (said === 'honoured') {
    const message = `Your answer to plan ${plan} has been honoured: run ${short} is ${run.outcome ?? run.phase}.`;
    throw new LockkeeperError({ code: 'TOO_LATE', message, hint: `\`lockkeeper cancel ${short}\` stops a run before its next write.` });
  }
  await queueStep(world, run);
  return run;
}
