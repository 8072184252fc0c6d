import { withdrawAnswer } from '../../../shared/run/withdraw-answer.ts';
import type { Answer } from '../answer.ts';
import { answerOfWithdrawal } from '../commands/withdraw.ts';
import type { Invocation } from '../invocation.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { personOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { patienceOf, restInStack, typedFor } from './follow.ts';
import { repositoryInStack } from './place.ts';
import { openStack } from './stack.ts';

/** `withdraw` through a deployed stack: of the GitHub user behind the caller's AWS principal. Nobody's leave is needed to take one's own word back. */
export function withdrawOnStack(invocation: Invocation, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const { remote, person } = await personOf(name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    const { id: repository } = await repositoryInStack(stack.store, remote);
    const run = await withdrawAnswer(stack.store, repository, invocation.digest ?? '', { ...person, through: 'aws' });
    const rested = await restInStack(stack, run.id, patienceOf(surroundings));
    return answerOfWithdrawal(await reportOfRun(stack.store, rested), typedFor(stack), person.name);
  });
}
