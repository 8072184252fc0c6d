import type { Code } from '../errors/codes.ts';
import type { Permission } from '../ports/code-host.ts';
import type { Decision, Person } from './decision.ts';

/** What is known of a run's people at the moment its decisions are judged: by configuration, by policy, and by the code host. */
export interface Electorate {
  /** What runs the run. Only a person's own machine takes the word of whoever sits at it: told by its configuration, never by a decision. */
  readonly stack: 'embedded' | 'deployed';
  /** Of every protected environment the run writes: the GitHub logins that may decide; undefined for whoever may maintain the repository. */
  readonly approvers: readonly (readonly string[] | undefined)[];
  /** Whose run it is: who wrote and committed its commit, and who triggered it. GitHub logins. */
  readonly own: readonly string[];
  /** GitHub login that policy maps an AWS principal to at present. */
  readonly personBehind: (principal: string) => string | undefined;
  /** What people may do on the repository, by login in small letters. A login that is not there may do nothing. */
  readonly permissions: ReadonlyMap<string, Permission>;
  /** Which of the GitHub users who answered on GitHub itself are people, by login in small letters: the others are apps, or gone. */
  readonly people: ReadonlySet<string>;
}

export type Standing = { readonly allowed: true } | { readonly allowed: false; readonly code: Code; readonly why: string };

const maintains: ReadonlySet<Permission | undefined> = new Set(['maintain', 'admin']);

const notAPerson = (why: string): Standing => ({ allowed: false, code: 'APPROVER_NOT_A_PERSON', why });
const notAllowed = (why: string): Standing => ({ allowed: false, code: 'NOT_AN_APPROVER', why });

/** GitHub logins are equal whatever their case. */
const among = (logins: readonly string[], login: string): boolean => logins.some((one) => one.toLowerCase() === login.toLowerCase());

/**
 * Whether a person's answer counts. On a deployed stack that takes a GitHub user whom policy maps the AWS principal to, who may decide in
 * every protected environment that is written, and whose run it is not. A rejection is also their own to give whose run it is: to
 * withdraw it takes nobody's leave. At a person's own machine whoever sits there decides.
 */
export function standingOf(person: Person, verdict: Decision['verdict'], electorate: Electorate): Standing {
  if (person.through === 'machine') {
    if (electorate.stack === 'embedded') return { allowed: true };
    return notAPerson('It was made at a machine where nobody verified who sat there.');
  }
  const unknown = strangerTo(person, electorate);
  if (unknown) return unknown;
  if (among(electorate.own, person.name)) {
    return verdict === 'reject' ? { allowed: true } : notAllowed(`${person.name} wrote the commit or started the run, and may not approve it.`);
  }
  return electorate.approvers.map((listed) => mayDecideIn(listed, person.name, electorate)).find(({ allowed }) => !allowed) ?? { allowed: true };
}

/** Why whoever answered is nobody who is known, at this moment, by what the answer came through. */
function strangerTo({ name, through, principal }: Person, { people, personBehind }: Electorate): Standing | undefined {
  if (through === 'github') return people.has(name.toLowerCase()) ? undefined : notAPerson(`${name} is no person’s account on GitHub.`);
  const known = principal === undefined ? undefined : personBehind(principal);
  if (known === undefined) return notAPerson(`Policy maps ${principal ?? 'no principal'} to nobody.`);
  return known.toLowerCase() === name.toLowerCase() ? undefined : notAPerson(`Policy maps ${principal} to ${known}, not to ${name}.`);
}

/** Whether a login may decide where policy lists these logins; undefined: where whoever maintains the repository may. */
export function mayDecideIn(listed: readonly string[] | undefined, name: string, { permissions }: Pick<Electorate, 'permissions'>): Standing {
  if (listed === undefined) {
    if (maintains.has(permissions.get(name.toLowerCase()))) return { allowed: true };
    return notAllowed(`${name} may not maintain the repository; it takes maintain or admin.`);
  }
  return among(listed, name) ? { allowed: true } : notAllowed(`${name} is none of the approvers: ${listed.length === 0 ? 'nobody is' : listed.join(', ')}.`);
}

/** What the answers to a question come to. */
export interface Judged {
  /** One rejection that counts ends the run, one approval is enough. Undefined: nobody who counts has answered. */
  readonly verdict?: Decision['verdict'];
  readonly counted: readonly Decision[];
  readonly ignored: readonly { readonly decision: Decision; readonly code: Code; readonly why: string }[];
}

export function judgeDecisions(decisions: readonly Decision[], electorate: Electorate): Judged {
  const judged = decisions.map((decision) => ({ decision, standing: standingOf(decision.person, decision.verdict, electorate) }));
  const counted = judged.filter(({ standing }) => standing.allowed).map(({ decision }) => decision);
  const ignored = judged.flatMap(({ decision, standing }) => (standing.allowed ? [] : [{ decision, code: standing.code, why: standing.why }]));
  if (counted.length === 0) return { counted, ignored };
  return { verdict: counted.some(({ verdict }) => verdict === 'reject') ? 'reject' : 'approve', counted, ignored };
}
