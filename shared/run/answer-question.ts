import { type Decision, decide } from '../approvals/decision.ts';
import type { Question } from '../approvals/question.ts';
import { LockkeeperError } from '../errors/error.ts';
import { utc } from '../surfaces/words.ts';
import type { Run } from './items.ts';
import { queueStep } from './phase.ts';
import { logEvent } from './run-log.ts';
import type { JobWorld } from './world.ts';

/**
 * One person's answer to a run's question: written first, then the run is woken. Repeated after a crash it wakes the run again; a
 * second answer of the same person changes nothing. Whether the answer counts is the guard's to judge.
 *
 * @param answer with `told` and `at` where a recorded message brought it: when that came in.
 * @returns the answer of that person that stands.
 */
export async function answerQuestion(
  world: JobWorld,
  run: Run,
  question: Pick<Question, 'digest' | 'q'>,
  answer: Pick<Decision, 'verdict' | 'person' | 'told'> & Partial<Pick<Decision, 'at'>>,
): Promise<Decision> {
  const decision: Decision = { at: new Date(world.clock.now()).toISOString(), ...answer };
  const stands = await decide(world, { ...question, run: run.id }, decision);
  if (stands === decision) await logEvent(world, run, 'decided', { detail: `${answer.verdict} by ${answer.person.name}` });
  await queueStep(world, run);
  return stands;
}

export const saidVerdict: Readonly<Record<Decision['verdict'], string>> = { approve: 'approved', reject: 'rejected' };

/** A person answers a question once. The run was woken all the same: it may not have heard the first answer. */
export function alreadyDecided({ verdict, at }: Decision, { id }: Run): LockkeeperError {
  return new LockkeeperError({
    code: 'ALREADY_DECIDED',
    message: `You ${saidVerdict[verdict]} this plan of run ${id.slice(0, 12)} at ${utc(at)}, and that stands.`,
  });
}

/** What was taken back stays so, whatever is told of it late. */
export function takenBack({ verdict, withdrawn = '' }: Decision): LockkeeperError {
  return new LockkeeperError({
    code: 'ALREADY_DECIDED',
    message: `That you ${saidVerdict[verdict]} this plan you took back at ${utc(withdrawn)}.`,
    hint: 'The question is open for you: answer once more.',
  });
}
