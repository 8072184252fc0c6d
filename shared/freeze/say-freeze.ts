import { type MarkWorld, markIfThere } from '../dashboard/mark.ts';
import { LockkeeperError } from '../errors/error.ts';
import { didYouMean } from '../errors/nearest.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { environmentsIn } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { queueStep } from '../run/phase.ts';
import { openQuestions } from '../run/questions.ts';
import { type Freeze, freeze, unfreeze, type Word } from './freeze.ts';

/** What is said of an environment: frozen until a moment (as it was typed) and why, or no longer. */
export type Said = { readonly until: string; readonly reason: string } | 'thaw';

/**
 * Records a freeze or its end, and wakes the questions it is about, so that what they show is true: what is approved waits, or goes on.
 *
 *     record ─▶ mark the dashboard ─▶ wake      a death in between: the sweep wakes whatever is parked
 *
 * @throws LockkeeperError ENV_UNKNOWN for an environment that nothing touches; USAGE for an end or a reason that is none.
 */
export async function sayFreeze(
  world: MarkWorld,
  { policy, repository, environment }: { readonly policy: Policy; readonly repository: { readonly id: string }; readonly environment: string },
  said: Said,
  word: Word,
): Promise<Freeze | undefined> {
  judgeEnvironment(policy, environment);
  const made = said === 'thaw' ? undefined : await freeze(world, repository.id, environment, word, said.until, said.reason);
  if (said === 'thaw') await unfreeze(world, repository.id, environment, word);
  await markIfThere(world, repository.id);
  for (const { run } of await openQuestions(world, repository.id)) {
    if (run.environment === environment || run.protects?.includes(environment)) await queueStep(world, run);
  }
  return made;
}

/** A freeze of what nobody meant would leave the one that was meant open, and nobody would be told. */
function judgeEnvironment(policy: Policy, environment: string): void {
  const known = environmentsIn(policy);
  if (known.includes(environment)) return;
  const message = `There is no environment ${quoted(environment)}${didYouMean(environment, known)}: there are ${listed(known)}.`;
  throw new LockkeeperError({ code: 'ENV_UNKNOWN', message, hint: 'Use one of those, or give it a block under `environments` in lockkeeper.yaml.' });
}
