import { electorateFor, type PeopleWorld } from '../approvals/electorate.ts';
import { standingOf } from '../approvals/judge-decisions.ts';
import type { Tick } from '../dashboard/tick.ts';
import type { Problem } from '../errors/error.ts';
import type { Policy } from '../policy/types.ts';
import type { Permission, Repository } from '../ports/code-host.ts';

const mayPush: ReadonlySet<Permission> = new Set(['write', 'maintain', 'admin']);

/** What somebody ticked, as far as it says who may. */
export interface TickedPlace {
  readonly repository: Repository;
  readonly environment: string;
  readonly commit: string;
  /** The protected environments that it would write. */
  readonly protects: readonly string[];
}

/**
 * Why somebody may not tick this now, looked up at this moment; undefined: they may. In a protected environment a tick is an answer, and is
 * judged as one; elsewhere whoever may push may, and it has to be a person.
 *
 * @throws what the host throws: whom nobody could look up has ticked nothing.
 */
export async function whyNotTick(world: PeopleWorld, policy: Policy, place: TickedPlace, login: string): Promise<Problem | undefined> {
  const person = { name: login, through: 'tick' } as const;
  if (place.protects.length > 0) {
    const standing = standingOf(person, 'approve', await electorateFor(world, policy, place, [person]));
    return standing.allowed ? undefined : { code: standing.code, message: `In ${place.protects.join(', ')}: ${standing.why}` };
  }
  return whyNotPush(world, place.repository, login);
}

/** The same of what writes nothing real. */
export async function whyNotPush({ codeHost }: Pick<PeopleWorld, 'codeHost'>, repository: Repository, login: string): Promise<Problem | undefined> {
  if (!(await codeHost.isPerson(repository, login))) return notAPerson(login);
  if (mayPush.has(await codeHost.permission(repository, login))) return undefined;
  return { code: 'NOT_AN_APPROVER', message: `${login} may not push to the repository.`, hint: 'Ask somebody who may.' };
}

export const notAPerson = (login: string): Problem => ({
  code: 'APPROVER_NOT_A_PERSON',
  message: `${login} is no person’s account on GitHub.`,
  hint: 'A person has to tick it: an app’s tick starts nothing.',
});

/** Whose tick it is, as the host's history tells; or why it is nobody's. */
export function whoTicked({ by }: Pick<Tick, 'by'>): { readonly login: string } | Problem {
  if (!by) return { code: 'TICK_UNVERIFIED', message: 'GitHub does not say whose tick it is.' };
  return by.type === 'User' ? { login: by.login } : notAPerson(by.login);
}
