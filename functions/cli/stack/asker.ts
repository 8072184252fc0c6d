import { notAPerson } from '../../../shared/policy/not-a-person.ts';
import { personBehind } from '../../../shared/policy/policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { callerOf } from './caller.ts';
import type { Asked } from './command.ts';
import { type Remote, remoteOf, remotePolicy } from './remote.ts';
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
export async function askerOf(stack: string, { cwd, environment, console }: Pick<Surroundings, 'cwd' | 'environment' | 'console'>): Promise<Asker> {
  const remote = await remoteOf(cwd);
  console.progress.show(`Asking ${remote.remote} for the policy`);
  const policy = await remotePolicy(remote);
  if (policy.stack !== undefined && policy.stack !== stack) throw stackExists(policy.stack, stack);
  const principal = await callerOf(environment);
  const name = personBehind(policy, principal);
  return { remote, person: { principal, ...(name === undefined ? {} : { name }) } };
}

/** The same for somebody who has something written, or decides. @throws LockkeeperError APPROVER_NOT_A_PERSON with the lines to add. */
export async function personOf(stack: string, surroundings: Pick<Surroundings, 'cwd' | 'environment' | 'console'>): Promise<Person> {
  const asker = await askerOf(stack, surroundings);
  const { name, principal } = asker.person;
  if (name === undefined) throw notAPerson(principal);
  return { ...asker, person: { principal, name } };
}
