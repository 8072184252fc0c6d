import type { Said } from '../../../events/said.ts';
import type { Answer } from '../answer.ts';
import { lateAnswer, runAnswer } from '../commands/run-answer.ts';
import { releaseOf } from '../context/release.ts';
import type { Invocation, RunCommand } from '../invocation.ts';
import { ledgerOptions, worksFromLedger } from '../ledger-command.ts';
import { untilOver } from '../runs/await-event.ts';
import { boundOf, defaultWait } from '../runs/await-run.ts';
import { planFacts } from '../runs/plan-facts.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { askerOf, personOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { type Asked, recordCommand, startedRun } from './command.ts';
import { patienceOf, restInStack, typedFor } from './follow.ts';
import { judgePushed, pathInRepository } from './pushed.ts';
import { type DeployedStack, openStack, sessionOf } from './stack.ts';

/**
 * `plan`, `apply`, `destroy` through a deployed stack: asks it, and waits until the run rests. Nothing is written from here but the question.
 *
 * @param said what `adopt`, `accept` and `reconcile` say about a line. The stack judges it.
 */
export function runOnStack(invocation: Invocation & { command: RunCommand }, name: string, surroundings: Surroundings, said?: Said): Promise<Answer> {
  return throughAws(async () => {
    const asked = await askedOf(invocation, name, surroundings, said);
    return followed(await openStack(name, surroundings.environment), said ? { ...asked, said } : asked, surroundings, invocation);
  });
}

async function askedOf(invocation: Invocation & { command: RunCommand }, name: string, surroundings: Surroundings, said?: Said): Promise<Asked> {
  const { command: intent, plan, reconcile, recreate } = invocation;
  const { cwd, environment, console } = surroundings;
  const { sha: commit, branch, environment: where, pullRequest } = await releaseOf(invocation, environment, cwd);
  const { remote, person } = await (intent === 'plan' ? askerOf : personOf)(name, surroundings);
  const path = pathInRepository(remote.root, cwd, plan);
  const pull = pullRequest === undefined ? {} : { pullRequest };
  console.progress.show(`Asking ${remote.remote} whether ${commit.slice(0, 7)} is pushed`);
  // What is confirmed was shown by a run; the commit at hand says only in which scope.
  if (!worksFromLedger(intent) && said?.verb !== 'confirm') await judgePushed(remote, { commit, branch, path, ...pull });
  const told = { reconcile, ...(recreate ? { recreate: [...recreate] } : {}), ...ledgerOptions(invocation) };
  return { intent, owner: remote.owner, name: remote.name, path, environment: where, branch, commit, ...pull, ...told, person };
}

/** Asks the stack, waits for the run that comes of it, and shows it. @throws Interrupted: what was asked for goes on in the stack. */
export async function followed(
  stack: DeployedStack,
  asked: Asked,
  surroundings: Surroundings,
  stay: Pick<Invocation, 'wait' | 'waitTimeout'> = {},
): Promise<Answer> {
  const patience = { ...patienceOf(surroundings), ...boundOf(stay) };
  const id = await startedRun(stack.store, await recordCommand(stack.store, asked), patience);
  const rested = await restInStack(stack, id, patience);
  const { run, problem } = stay.wait
    ? await untilOver(sessionOf(stack), rested, patience, { seconds: stay.waitTimeout ?? defaultWait })
    : { run: rested, problem: undefined };
  patience.progress.clear();
  const answer = runAnswer(await reportOfRun(stack.store, run), typedFor(stack), await planFacts(stack.store, run));
  return problem ? lateAnswer(answer, problem) : answer;
}
