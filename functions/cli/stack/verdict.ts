import { setTimeout } from 'node:timers/promises';
import { type Decision, decide, readDecisions } from '../../../shared/approvals/decision.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Run } from '../../../shared/run/items.ts';
import { queueStep } from '../../../shared/run/phase.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import type { Answer } from '../answer.ts';
import { answered, answerOfVerdict, type Give } from '../commands/answered.ts';
import type { Invocation, VerdictCommand } from '../invocation.ts';
import type { Patience } from '../runs/await-run.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { deciderOf } from './asker.ts';
import { throughAws } from './aws-problem.ts';
import { patienceOf, restInStack, stillRunning, typedFor } from './follow.ts';
import { repositoryInStack } from './place.ts';
import { type DeployedStack, openStack } from './stack.ts';

/** `approve`, `reject` through a deployed stack: as the GitHub user behind the caller's AWS principal. Whether the answer counts the stack says. */
export function verdictOnStack(invocation: Invocation & { command: VerdictCommand }, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const { remote, person } = await deciderOf(name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    const { id: repository } = await repositoryInStack(stack.store, remote);
    const answer = { verdict: invocation.command, person: { ...person, through: 'aws' as const } };
    let ignored: string | undefined;
    const { run, q, digest } = await answered(stack.store, repository, invocation.digest ?? '', answer, surroundings.console.note, async (...given) => {
      const stands = await give(...given);
      ignored = stands.ignored;
      return stands;
    });
    const patience = patienceOf(surroundings);
    const rested = await restAfter(stack, { run: run.id, q, digest }, { ...answer, ignored }, patience);
    return answerOfVerdict(invocation.command, await reportOfRun(stack.store, rested), typedFor(stack));
  });
}

type Asked = { readonly run: string; readonly q: number; readonly digest: string };
type Given = Pick<Decision, 'person'> & { readonly ignored?: string | undefined };

/** Where the run comes to rest. The guard judges once more, under the lease: it may send the run back to the question that was answered. */
async function restAfter(stack: DeployedStack, asked: Asked, given: Given, patience: Patience): Promise<Run> {
  for (;;) {
    const counted = await untilHeard(stack, asked, given, patience);
    if (counted) return counted;
    const run = await restInStack(stack, asked.run, patience);
    if (run.phase !== 'awaiting' || run.question?.q !== asked.q) return run;
  }
}

/** The decision, and the message that wakes its run. Who may decide need not be able to write into runs, so the run's log is not written here. */
const give: Give = async (store, run, question, answer) => {
  const stands = await decide(store, { ...question, run: run.id }, { ...answer, at: new Date(store.clock.now()).toISOString() });
  await queueStep(store, run);
  return stands;
};

/** How often whoever waits for the stack to hear an answer wakes its run, ms. */
const wakeEveryMs = 60_000;

/** How long an answer that did not count when it was last judged is given to count now, ms. */
const rejudgedWithinMs = 20_000;

/**
 * Waits until the run has gone on, or the stack has written beside the answer why it does not count.
 *
 * @returns the run where the answer counts and others have yet to give theirs.
 * @param answer `ignored`: why it did not count when it was last judged, for one that was given before.
 * @throws LockkeeperError NOT_AN_APPROVER; Interrupted.
 */
export async function untilHeard(
  stack: DeployedStack,
  question: Asked,
  { person, ignored: before }: Given,
  { progress, signal, everyMs = 0 }: Patience,
): Promise<Run | undefined> {
  const { table, clock } = stack.store;
  const since = clock.now();
  let woken = since;
  for (;;) {
    const run = await readRun(table, question.run);
    if (run?.phase !== 'awaiting' || run.question?.q !== question.q) return undefined;
    if (run.approvals?.q === question.q && run.approvals.by.some((name) => name.toLowerCase() === person.name.toLowerCase())) return run;
    const why = (await readDecisions(table, question)).find((one) => one.person.through === 'aws' && one.person.name === person.name)?.ignored;
    const isNews = why !== before || clock.now() - since > rejudgedWithinMs;
    if (why !== undefined && isNews) throw new LockkeeperError({ code: 'NOT_AN_APPROVER', message: `The answer is recorded and does not count. ${why}` });
    if (signal.aborted) throw stillRunning(stack, question.run);
    // While its host is silent the stack looks when it is woken: whoever waits here wakes it.
    if (clock.now() - woken > wakeEveryMs) {
      woken = clock.now();
      await queueStep(stack.store, run);
    }
    progress.show('Waiting for the stack', `run ${question.run.slice(0, 8)}`);
    await setTimeout(everyMs);
  }
}
