import type { Intake } from '../../events/intake.ts';
import type { Decision } from '../approvals/decision.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { whyIgnored } from '../run/decided.ts';
import type { Run } from '../run/items.ts';
import type { OpenQuestion } from '../run/questions.ts';
import type { ControlWorld } from '../run/world.ts';
import { giveAnswer } from './give-answer.ts';
import { passes } from './passes.ts';

/**
 * What somebody answered on GitHub, as whom the signed event names: the decision that every other surface writes, and the run woken. It is
 * judged as theirs, as ever; here only for their ears.
 *
 * @returns why it does not stand, or does not count by now; undefined where it does.
 */
export async function answerAs(
  world: ControlWorld,
  { sender, id, receivedAt }: Pick<Intake, 'sender' | 'id' | 'receivedAt'>,
  run: Run,
  question: Pick<OpenQuestion, 'digest' | 'q'>,
  verdict: Decision['verdict'],
): Promise<Problem | undefined> {
  if (sender.type !== 'User')
    return {
      code: 'APPROVER_NOT_A_PERSON',
      message: `${sender.login} is no person’s account on GitHub.`,
      hint: 'Answer as a person: an app’s word never counts.',
    };
  const stands = await giveAnswer(world, run, question, { verdict, person: { name: sender.login, through: 'github' }, told: id, at: receivedAt });
  if ('code' in stands) return stands;
  try {
    return await whyIgnored(world, run, stands);
  } catch (error) {
    // The answer is recorded: the run's own step judges it when the host answers, and notes what it finds.
    if (passes(problemOf(error))) return undefined;
    throw error;
  }
}
