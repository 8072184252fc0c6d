import { approversOf, personBehind, personInSlack, quorumOf, teamsOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { CodeHost, Permission, Repository } from '../ports/code-host.ts';
import type { Person } from './decision.ts';
import type { Electorate, Listed, Team } from './judge-decisions.ts';

/** What the judging of people asks. */
export interface PeopleWorld {
  readonly codeHost: Pick<CodeHost, 'permission' | 'isPerson' | 'inTeam' | 'authorsOf'>;
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

/** Looks up live what judging these people's answers to a run takes, and nothing more: nobody at their own machine is looked up. */
export async function electorateFor(world: PeopleWorld, policy: Policy, run: DecidedRun, people: readonly Person[]): Promise<Electorate> {
  const known = await peopleThere(world, policy, run.repository, run.protects ?? [run.environment], people);
  const authors = people.some((person) => isLookedUp(policy, person)) ? await world.codeHost.authorsOf(run.repository, run.commit) : [];
  return { ...known, own: [...authors, ...(run.triggeredBy === undefined ? [] : [run.triggeredBy])] };
}

/** Whether GitHub itself told who it was. */
const onGitHub = ({ through }: Pick<Person, 'through'>): boolean => through === 'github' || through === 'tick';

/** Whether somebody is more than a name at a machine. */
const isLookedUp = (policy: Policy, { through, principal }: Person): boolean =>
  onGitHub({ through }) || (principal !== undefined && (through === 'slack' ? personInSlack : personBehind)(policy, principal) !== undefined);

/** The same of what they are and may do in these environments, whosever run it is. */
export async function peopleThere(
  world: Pick<PeopleWorld, 'stack'> & { readonly codeHost: Omit<PeopleWorld['codeHost'], 'authorsOf'> },
  policy: Policy,
  repository: Repository,
  environments: readonly string[],
  people: readonly Person[],
): Promise<Omit<Electorate, 'own'>> {
  const behind = (principal: string) => personBehind(policy, principal);
  const inSlack = (member: string) => personInSlack(policy, member);
  // A person in Slack is a GitHub user all the same: the account is looked up live as one that answered there.
  const mapped = people.flatMap(({ through, principal }) => (through === 'slack' && principal !== undefined ? (inSlack(principal) ?? []) : []));
  const onHost = [...people.flatMap(({ name, through }) => (onGitHub({ through }) ? [name] : [])), ...mapped];
  const verified = people.flatMap(({ through, principal }) => (through === 'aws' && principal !== undefined ? (behind(principal) ?? []) : []));
  const logins = lowered([...onHost, ...verified]);
  const approvers = await Promise.all(environments.map((environment) => listedThere(world, policy, repository, environment, logins)));
  const asked = approvers.includes(undefined) ? logins : lowered(onHost);
  const permissions = new Map<string, Permission>();
  for (const login of asked) permissions.set(login, await world.codeHost.permission(repository, login));
  const persons = new Set<string>();
  for (const login of lowered(onHost)) if (await world.codeHost.isPerson(repository, login)) persons.add(login);
  return { stack: world.stack, approvers, ...quorumOf(policy, environments), personBehind: behind, personInSlack: inSlack, permissions, people: persons };
}

/** Whom policy lists for an environment, and which of these people are in its teams at this moment; undefined: it lists nobody. */
export async function listedThere(
  { codeHost }: { readonly codeHost: Pick<CodeHost, 'inTeam'> },
  policy: Policy,
  repository: Repository,
  environment: string,
  logins: readonly string[],
): Promise<Listed | undefined> {
  const people = approversOf(policy, environment)?.map(({ github }) => github);
  if (people === undefined) return undefined;
  const strangers = logins.filter((login) => !people.some((one) => one.toLowerCase() === login.toLowerCase()));
  const teams: Team[] = [];
  for (const name of teamsOf(policy, environment)) teams.push({ name, members: await membersAmong(codeHost, repository, name, strangers) });
  return { logins: people, teams };
}

async function membersAmong(host: Pick<CodeHost, 'inTeam'>, repository: Repository, team: string, logins: readonly string[]): Promise<Team['members']> {
  const members = new Set<string>();
  for (const login of logins) {
    const found = await host.inTeam(repository, team, login);
    if (found === 'hidden') return undefined;
    if (found) members.add(login.toLowerCase());
  }
  return members;
}

const lowered = (logins: readonly string[]): string[] => [...new Set(logins.map((login) => login.toLowerCase()))];
