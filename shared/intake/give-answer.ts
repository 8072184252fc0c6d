import { type Decision, isSameVoice } from '../approvals/decision.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { alreadyDecided, answerQuestion, takenBack } from '../run/answer-question.ts';
import { standsForNothing } from '../run/decided.ts';
import type { Run } from '../run/items.ts';
import type { OpenQuestion } from '../run/questions.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * A person's answer, as the surface knows them: the decision that every surface writes, and the run woken. What lies in its place and came by another
 * way is judged first: under a principal that is nobody's, whoever may write decisions could have rejected in anybody's name.
 *
 * @returns the answer of theirs that stands, or why theirs does not. Whether it counts is another question.
 */
export async function giveAnswer(
  world: ControlWorld,
  run: Run,
  { digest, q }: Pick<OpenQuestion, 'digest' | 'q'>,
  answer: Pick<Decision, 'verdict' | 'person' | 'told' | 'at'>,
): Promise<Decision | Problem> {
  const give = () => answerQuestion(world, run, { digest, q }, answer);
  const first = await give();
  const isAnothers = !isSameVoice(first.person, answer.person) && first.withdrawn === undefined;
  const stands = isAnothers && (await standsForNothing(world, run, first)) ? await give() : first;
  if (stands.withdrawn !== undefined) return problemOf(takenBack(stands));
  return stands.verdict === answer.verdict ? stands : problemOf(alreadyDecided(stands, run));
}
