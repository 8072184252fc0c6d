import { approversOf, personBehind } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { CodeHost, Permission, Repository } from '../ports/code-host.ts';
import type { Person } from './decision.ts';
import type { Electorate } from './judge-decisions.ts';

/** What the judging of people asks. */
export interface PeopleWorld {
  readonly codeHost: Pick<CodeHost, 'permission' | 'isPerson' | 'authorsOf'>;
  readonly stack: Electorate['stack'];
}

/** What of a run says who may decide on it. */
export interface DecidedRun {
  readonly repository: Repository;
  readonly environment: string;
  readonly commit: string;
  readonly triggeredBy?: string;
  /** The protected environments that it writes; its own where that was not recorded. */
  readonly protects?: readonly string[];
}

/** Looks up live what judging these people takes, and nothing more: nobody at their own machine is looked up. */
export async function electorateFor(world: PeopleWorld, policy: Policy, run: DecidedRun, people: readonly Person[]): Promise<Electorate> {
  const approvers = (run.protects ?? [run.environment]).map((environment) => approversOf(policy, environment)?.map(({ github }) => github));
  const behind = (principal: string) => personBehind(policy, principal);
  const onHost = people.flatMap(({ name, through }) => (through === 'github' ? [name] : []));
  const verified = people.flatMap(({ through, principal }) => (through === 'aws' && principal !== undefined ? (behind(principal) ?? []) : []));
  const logins = lowered([...onHost, ...verified]);
  const asked = approvers.includes(undefined) ? logins : [];
  const permissions = new Map<string, Permission>();
  for (const login of asked) permissions.set(login, await world.codeHost.permission(run.repository, login));
  const persons = new Set<string>();
  for (const login of lowered(onHost)) if (await world.codeHost.isPerson(run.repository, login)) persons.add(login);
  const authors = logins.length === 0 ? [] : await world.codeHost.authorsOf(run.repository, run.commit);
  const own = [...authors, ...(run.triggeredBy === undefined ? [] : [run.triggeredBy])];
  return { stack: world.stack, approvers, own, personBehind: behind, permissions, people: persons };
}

const lowered = (logins: readonly string[]): string[] => [...new Set(logins.map((login) => login.toLowerCase()))];
