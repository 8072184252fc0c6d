import { findRun } from '../../../shared/run/find-run.ts';
import type { Answer } from '../answer.ts';
import { answerOfCancel } from '../commands/cancel.ts';
import type { Invocation } from '../invocation.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { personOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { recordCommand, startedRun } from './command.ts';
import { patienceOf, restInStack, typedFor } from './follow.ts';
import { repositoryInStack } from './place.ts';
import { followed } from './run.ts';
import { openStack } from './stack.ts';

/**
 * `retry`, `cancel` and `undo` through a deployed stack, in the name of whoever asks: the stack judges whether they may.
 *
 * @throws LockkeeperError NOT_FOUND, USAGE, RUN_NOT_OVER, RUN_OVER, NOT_AN_APPROVER.
 */
export function aboutRunOnStack(invocation: Invocation & { command: 'retry' | 'cancel' | 'undo' }, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const { remote, person } = await personOf(name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    const { id: repository } = await repositoryInStack(stack.store, remote);
    const { id: again, plan, environment, branch, commit } = await findRun(stack.store, repository, invocation.run ?? '');
    const about = { intent: invocation.command, again, path: plan.path, environment, branch, commit, reconcile: false } as const;
    const asked = { ...about, owner: remote.owner, name: remote.name, person };
    if (invocation.command !== 'cancel') return followed(stack, asked, surroundings);
    const patience = patienceOf(surroundings);
    const id = await startedRun(stack.store, await recordCommand(stack.store, asked), patience);
    const rested = await restInStack(stack, id, patience);
    return answerOfCancel(await reportOfRun(stack.store, rested), typedFor(stack));
  });
}
