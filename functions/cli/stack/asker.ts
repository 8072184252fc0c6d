import { problemOf } from '../../../shared/errors/error.ts';
import { notAPerson } from '../../../shared/policy/not-a-person.ts';
import { personBehind } from '../../../shared/policy/policy.ts';
import type { Policy } from '../../../shared/policy/types.ts';
import type { Surroundings } from '../surroundings.ts';
import { callerOf } from './caller.ts';
import type { Asked } from './command.ts';
import { fetchedPolicy, type Remote, remoteOf, remotePolicy } from './remote.ts';
import { stackExists } from './second-ledger.ts';

/** Who asks a stack for something, from which repository. */
export interface Asker {
  readonly remote: Remote;
  /** The principal, and the GitHub user behind it. */
  readonly person: Asked['person'];
}

/** An asker who is a person, as whoever writes or decides must be. */
export type Person = Asker & { readonly person: { readonly name: string } };

/**
 * Looks up who asks, by the policy that stands on the remote's default branch at this moment. The controller does the same and decides.
 *
 * @throws LockkeeperError STACK_EXISTS when that policy names another stack; CTX_NULL, CODE_HOST, POLICY_INVALID; whatever AWS throws.
 */
export async function askerOf(stack: string, surroundings: Pick<Surroundings, 'cwd' | 'environment' | 'console'>): Promise<Asker> {
  const remote = await remoteOf(surroundings.cwd);
  surroundings.console.progress.show(`Asking ${remote.remote} for the policy`);
  return askerBy(await remotePolicy(remote), stack, remote, surroundings);
}

async function askerBy(policy: Policy, stack: string, remote: Remote, { environment }: Pick<Surroundings, 'environment'>): Promise<Asker> {
  if (policy.stack !== undefined && policy.stack !== stack) throw stackExists(policy.stack, stack);
  const principal = await callerOf(environment);
  const name = personBehind(policy, principal);
  return { remote, person: { principal, ...(name === undefined ? {} : { name }) } };
}

/** The same for somebody who has something written, or decides. @throws LockkeeperError APPROVER_NOT_A_PERSON with the lines to add. */
export async function personOf(stack: string, surroundings: Pick<Surroundings, 'cwd' | 'environment' | 'console'>): Promise<Person> {
  return asPerson(await askerOf(stack, surroundings));
}

/**
 * The same for an answer to a question that is already asked. While the remote is silent it is given as whom policy named when the default branch
 * was last fetched here: the stack judges it, by the policy it stored when it asked.
 */
export async function deciderOf(stack: string, surroundings: Pick<Surroundings, 'cwd' | 'environment' | 'console'>): Promise<Person> {
  try {
    return await personOf(stack, surroundings);
  } catch (error) {
    const remote = problemOf(error).code === 'CODE_HOST' ? await remoteOf(surroundings.cwd) : undefined;
    const policy = remote && (await fetchedPolicy(remote));
    if (!remote || !policy) throw error;
    surroundings.console.note(
      `${remote.remote} does not answer. You are taken for whom the policy last fetched here names. After five minutes of silence the stack goes by what it stored.`,
    );
    return asPerson(await askerBy(policy, stack, remote, surroundings));
  }
}

function asPerson(asker: Asker): Person {
  const { name, principal } = asker.person;
  if (name === undefined) throw notAPerson(principal);
  return { ...asker, person: { principal, name } };
}
