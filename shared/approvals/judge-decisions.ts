import type { Code } from '../errors/codes.ts';
import type { Permission } from '../ports/code-host.ts';
import type { Decision, Person } from './decision.ts';

/** What is known of a run's people at the moment its decisions are judged: by configuration, by policy, and by the code host. */
export interface Electorate {
  /** What runs the run. Only a person's own machine takes the word of whoever sits at it: told by its configuration, never by a decision. */
  readonly stack: 'embedded' | 'deployed';
  /** Of every protected environment the run writes: whom policy lists; undefined for whoever may maintain the repository. */
  readonly approvers: readonly (Listed | undefined)[];
  /** How many people must approve: the most that one of these environments asks for. */
  readonly required: number;
  /** Whether every one of these environments lets people approve what is their own. */
  readonly allowSelf: boolean;
  /** Whose run it is: who wrote and committed its commit, and who triggered it. GitHub logins. */
  readonly own: readonly string[];
  /** GitHub login that policy maps an AWS principal to at present. */
  readonly personBehind: (principal: string) => string | undefined;
  /** GitHub login that policy maps a Slack member to at present. */
  readonly personInSlack: (member: string) => string | undefined;
  /** What people may do on the repository, by login in small letters. A login that is not there may do nothing. */
  readonly permissions: ReadonlyMap<string, Permission>;
  /** Which of the GitHub users who answered on GitHub itself are people, by login in small letters: the others are apps, or gone. */
  readonly people: ReadonlySet<string>;
}

/** Whom policy lists for one environment. */
export interface Listed {
  readonly logins: readonly string[];
  /** As `organization/slug`. */
  readonly teams?: readonly Team[];
}

export interface Team {
  readonly name: string;
  /** Of the people who are judged, those who are active members at this moment, by login in small letters. Undefined: the host hides the team. */
  readonly members: ReadonlySet<string> | undefined;
}

export type Standing = { readonly allowed: true } | { readonly allowed: false; readonly code: Code; readonly why: string };

const maintains: ReadonlySet<Permission | undefined> = new Set(['maintain', 'admin']);

const noAccess: ReadonlySet<Permission | undefined> = new Set(['none', undefined]);

const notAPerson = (why: string): Standing => ({ allowed: false, code: 'APPROVER_NOT_A_PERSON', why });
const notAllowed = (why: string): Standing => ({ allowed: false, code: 'NOT_AN_APPROVER', why });

/** GitHub logins are equal whatever their case. */
const among = (logins: readonly string[], login: string): boolean => logins.some((one) => one.toLowerCase() === login.toLowerCase());

/**
 * Whether a person's answer counts. On a deployed stack that takes a GitHub user whom policy maps the AWS principal to, who may decide in
 * every protected environment that is written, and whose run it is not, unless policy allows that. A rejection is also their own to give
 * whose run it is: to withdraw it takes nobody's leave. At a person's own machine whoever sits there decides.
 */
export function standingOf(person: Person, verdict: Decision['verdict'], electorate: Electorate): Standing {
  if (person.through === 'machine') {
    if (electorate.stack === 'embedded') return { allowed: true };
    return notAPerson('It was made at a machine where nobody verified who sat there.');
  }
  const unknown = strangerTo(person, electorate);
  if (unknown) return unknown;
  if (!electorate.allowSelf && among(electorate.own, person.name)) {
    return verdict === 'reject' ? { allowed: true } : notAllowed(`${person.name} wrote the commit or started the run, and may not approve it.`);
  }
  return electorate.approvers.map((listed) => mayDecideIn(listed, person.name, electorate)).find(({ allowed }) => !allowed) ?? { allowed: true };
}

/** Why whoever answered is nobody who is known, at this moment, by what the answer came through. */
function strangerTo({ name, through, principal }: Person, { approvers, people, permissions, personBehind, personInSlack }: Electorate): Standing | undefined {
  if (through !== 'github' && through !== 'tick') {
    const known = principal === undefined ? undefined : (through === 'slack' ? personInSlack : personBehind)(principal);
    if (known === undefined) return notAPerson(`Policy maps ${principal ?? 'no principal'} to nobody.`);
    if (known.toLowerCase() !== name.toLowerCase()) return notAPerson(`Policy maps ${principal} to ${known}, not to ${name}.`);
    // AWS has said itself who it was; a Slack member is an account of GitHub’s all the same.
    if (through === 'aws') return undefined;
  }
  if (!people.has(name.toLowerCase())) return notAPerson(`${name} is no person’s account on GitHub.`);
  return noAccess.has(permissions.get(name.toLowerCase())) ? notAllowed(`${name} has no access to the repository. ${whoMay(approvers)}`) : undefined;
}

/** Whom to ask, where each of the environments lists somebody; else who may maintain the repository. */
function whoMay(approvers: Electorate['approvers']): string {
  const named = approvers.flatMap((listed) => (listed ? namesOf(listed) : ['whoever may maintain the repository']));
  return named.length === 0 ? 'Nobody may decide.' : `Who may decide: ${[...new Set(named)].join(', ')}.`;
}

const namesOf = ({ logins, teams = [] }: Listed): string[] => [...logins, ...teams.map((team) => `team ${team.name}`)];

/** Whether a login may decide where policy lists these people and teams; undefined: where whoever maintains the repository may. */
export function mayDecideIn(listed: Listed | undefined, name: string, { permissions }: Pick<Electorate, 'permissions'>): Standing {
  if (listed === undefined) {
    if (maintains.has(permissions.get(name.toLowerCase()))) return { allowed: true };
    return notAllowed(`${name} may not maintain the repository; it takes maintain or admin.`);
  }
  const { logins, teams = [] } = listed;
  if (among(logins, name) || teams.some(({ members }) => members?.has(name.toLowerCase()))) return { allowed: true };
  const hidden = teams.filter(({ members }) => members === undefined).map((team) => team.name);
  const unseen = hidden.length === 0 ? '' : ` GitHub does not show who is in ${hidden.join(', ')}: the App needs the organization permission Members (read).`;
  const named = namesOf(listed);
  return notAllowed(`${name} is none of the approvers: ${named.length === 0 ? 'nobody is' : named.join(', ')}.${unseen}`);
}

/** What the answers to a question come to. */
export interface Judged {
  /** One rejection that counts ends the run; approvals must be as many as policy asks for. Undefined: not enough people have answered. */
  readonly verdict?: Decision['verdict'];
  readonly counted: readonly Decision[];
  readonly ignored: readonly { readonly decision: Decision; readonly code: Code; readonly why: string }[];
  /** Absent: nobody can tell at this moment. */
  readonly approvals?: Approvals;
}

/** Who has approved, each person once, in the order of their names; and how many must. */
export interface Approvals {
  readonly by: readonly string[];
  readonly required: number;
}

/**
 * Judges the answers to a question. People are counted by GitHub login, whatever they answered through: two accounts of one person on
 * two surfaces are one. At their own machine one person is all there can be, and their word is enough.
 */
export function judgeDecisions(decisions: readonly Decision[], electorate: Electorate): Judged {
  const judged = decisions.map((decision) => ({ decision, standing: standingOf(decision.person, decision.verdict, electorate) }));
  const counted = judged.filter(({ standing }) => standing.allowed).map(({ decision }) => decision);
  const ignored = judged.flatMap(({ decision, standing }) => (standing.allowed ? [] : [{ decision, code: standing.code, why: standing.why }]));
  const approving = counted.filter(({ verdict }) => verdict === 'approve').map(({ person }) => person);
  const required = approving.some(({ through }) => through === 'machine') ? 1 : electorate.required;
  const by = [...new Map(approving.map(({ name }) => [name.toLowerCase(), name])).values()].sort();
  const found = { counted, ignored, approvals: { by, required } };
  if (counted.some(({ verdict }) => verdict === 'reject')) return { verdict: 'reject', ...found };
  return by.length >= required && by.length > 0 ? { verdict: 'approve', ...found } : found;
}
