import { notAPerson } from '../../../shared/policy/not-a-person.ts';
import { personBehind } from '../../../shared/policy/policy.ts';
import type { Policy } from '../../../shared/policy/types.ts';
import type { Answer } from '../answer.ts';
import { runAnswer } from '../commands/run-answer.ts';
import { releaseOf } from '../context/release.ts';
import { Interrupted } from '../interrupted.ts';
import type { Invocation, RunCommand } from '../invocation.ts';
import { untilRest } from '../runs/await-run.ts';
import { reportOfRun } from '../runs/run-report.ts';
import type { Surroundings } from '../surroundings.ts';
import { throughAws } from './aws-problem.ts';
import { callerOf } from './caller.ts';
import { type Asked, recordCommand, startedRun } from './command.ts';
import { judgePushed, pathInRepository } from './pushed.ts';
import { remoteOf, remotePolicy } from './remote.ts';
import { stackExists } from './second-ledger.ts';
import { type DeployedStack, openStack, sessionOf } from './stack.ts';

/** `plan`, `apply`, `destroy` through a deployed stack: asks it, and waits until the run rests. Nothing is written from here but the question. */
export function runOnStack(invocation: Invocation & { command: RunCommand }, name: string, surroundings: Surroundings): Promise<Answer> {
  return throughAws(async () => {
    const asked = await askedOf(invocation, name, surroundings);
    const stack = await openStack(name, surroundings.environment);
    return followed(stack, await recordCommand(stack.store, asked), surroundings);
  });
}

async function askedOf(invocation: Invocation & { command: RunCommand }, name: string, { cwd, environment, console }: Surroundings): Promise<Asked> {
  const { command, plan, reconcile } = invocation;
  const release = await releaseOf(invocation, environment, cwd);
  const remote = await remoteOf(cwd);
  console.progress.show(`Asking ${remote.remote} what is pushed`);
  const policy = await remotePolicy(remote);
  judgeStack(policy, name);
  const path = pathInRepository(remote.root, cwd, plan);
  const { sha: commit, branch, environment: where, pullRequest } = release;
  const pull = pullRequest === undefined ? {} : { pullRequest };
  if (command !== 'destroy') await judgePushed(remote, { commit, branch, path, ...pull });
  const person = await personOf(policy, environment, command === 'plan');
  return { intent: command, owner: remote.owner, name: remote.name, path, environment: where, branch, commit, ...pull, reconcile, person };
}

/** The stack that the repository's policy names, where it names one. */
export function judgeStack({ stack }: Policy, name: string): void {
  if (stack !== undefined && stack !== name) throw stackExists(stack, name);
}

/** Who asks: the principal, and the GitHub user behind it. @throws LockkeeperError APPROVER_NOT_A_PERSON, unless nobody in particular will do. */
export async function personOf(policy: Policy, environment: Surroundings['environment'], anybody: boolean): Promise<Asked['person']> {
  const principal = await callerOf(environment);
  const name = personBehind(policy, principal);
  if (name === undefined && !anybody) throw notAPerson(principal);
  return { principal, ...(name === undefined ? {} : { name }) };
}

/** How often a run is looked at, ms: a request each. */
const everyMs = 500;

/** Waits for the run a command became, and shows it. @throws Interrupted: the run goes on in the stack. */
export async function followed(stack: DeployedStack, command: string, { console, signal }: Surroundings): Promise<Answer> {
  const patience = { progress: console.progress, signal, everyMs };
  const id = await startedRun(stack.store, command, patience);
  const run = await untilRest(sessionOf(stack), id, patience).catch((error: unknown) => {
    throw error instanceof Interrupted ? new Interrupted(id, goesOn(id, stack.name)) : error;
  });
  console.progress.clear();
  return runAnswer(await reportOfRun(stack.store, run), { sim: false, local: false, stateDir: '.lockkeeper', stack: stack.name });
}

const goesOn = (id: string, stack: string): string => `It goes on in the stack: \`lockkeeper log ${id.slice(0, 12)} --stack ${stack}\` shows how.`;
