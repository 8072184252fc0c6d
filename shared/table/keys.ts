import { LockkeeperError } from '../errors/error.ts';
import type { Key } from '../ports/table.ts';

/** One lifecycle unit of one plan of one repository in one environment: what a lease, a ledger and a head belong to. */
export interface ScopeAddress {
  /** The repository's id, which survives a rename. */
  readonly repository: string;
  readonly plan: string;
  readonly environment: string;
  readonly scope: string;
}

/**
 * Encodes one part of a key so that `#` and `/` in it separate nothing.
 *
 * @throws LockkeeperError INTERNAL for half of a character: what replaced it would be one key for two names.
 */
function part(text: string): string {
  if (!text.isWellFormed()) throw new LockkeeperError({ code: 'INTERNAL', message: 'A name holds half of a character, and names nothing.' });
  return encodeURIComponent(text);
}

/** The scope as one string: `<repo>#<plan>#<env>#<scope>`; equal strings are equal scopes. */
export const scopeKey = (at: ScopeAddress): string => [at.repository, at.plan, at.environment, at.scope].map(part).join('#');

/** The same with slashes, for object keys. */
export const scopePath = (at: ScopeAddress): string => [at.repository, at.plan, at.environment, at.scope].map(part).join('/');

/** A scope for people, of its partition or its key. */
export const scopeText = (scope: string): string =>
  scope
    .replace(/^SCOPE#/, '')
    .split('#')
    .map(decodeURIComponent)
    .join(' / ');

export const scopePartition = (scope: string): string => `SCOPE#${scope}`;
export const leaseKey = (scope: string): Key => ({ pk: scopePartition(scope), sk: 'LEASE' });
export const headKey = (scope: string): Key => ({ pk: scopePartition(scope), sk: 'HEAD' });
export const surfaceKey = (scope: string): Key => ({ pk: scopePartition(scope), sk: 'SURFACE' });
export const ledgerPrefix = 'LEDGER#';
export const ledgerKey = (scope: string, line: string): Key => ({ pk: scopePartition(scope), sk: `${ledgerPrefix}${part(line)}` });

/** What a person decided about one line: unfenced, beside the ledger. */
export const rulingKey = (scope: string, kind: 'accept' | 'lift' | 'confirm', line: string): Key => ({
  pk: scopePartition(scope),
  sk: `${kind.toUpperCase()}#${part(line)}`,
});

/**
 * What a run last refused of a line and showed to people, because nobody has claimed it, or because it was edited outside: unfenced, and no
 * part of the ledger.
 */
export const foundKey = (scope: string, word: 'accept' | 'lift', line: string): Key => ({
  pk: scopePartition(scope),
  sk: `${word === 'lift' ? 'FOUND' : 'EDITED'}#${part(line)}`,
});

/** What scans know of one line's drift: unfenced, and no part of the ledger. */
export const driftFoundPrefix = 'DRIFT#';
export const driftFoundKey = (scope: string, line: string): Key => ({ pk: scopePartition(scope), sk: `${driftFoundPrefix}${part(line)}` });

export const claimKey = (identityHash: string): Key => ({ pk: `CLAIM#${identityHash}`, sk: 'CLAIM' });
/** The lock of an object that several lines write parts of. */
export const parentLockKey = (identityHash: string): Key => ({ pk: `PARENT#${identityHash}`, sk: 'LEASE' });
export const pauseKey = (adapter: string, account: string): Key => ({ pk: `PROVIDER#${part(adapter)}#${part(account)}`, sk: 'PAUSE' });

/** What people say of an environment of a repository as a whole, whatever plan and scope. */
export const freezeKey = (repository: string, environment: string): Key => ({ pk: `ENV#${part(repository)}#${part(environment)}`, sk: 'FREEZE' });

/** When the next scan of an environment is due, whatever plan. */
export const scanKey = (repository: string, environment: string): Key => ({ pk: `ENV#${part(repository)}#${part(environment)}`, sk: 'SCAN' });

/** What a repository's name stands for, for whoever knows it by name alone. GitHub compares names without regard to case. */
export const repositoryNameKey = (owner: string, name: string): Key => ({ pk: `NAME#${part(`${owner}/${name}`.toLowerCase())}`, sk: 'REPOSITORY' });

/**
 * A person's command. It has a partition of its own, so that whoever may ask need not be able to write anything that is believed: a right
 * on `COMMAND#*` is no right on runs, ledgers or decisions.
 */
export const commandKey = (id: string): Key => ({ pk: `COMMAND#${id}`, sk: 'COMMAND' });
const commandPrefix = 'command:';
/** The id of a command, of a fresh id: a control message tells by it what it wakes. */
export const commandIdOf = (fresh: string): string => `${commandPrefix}${fresh}`;
export const isCommandId = (id: string): boolean => id.startsWith(commandPrefix);

const clickPrefix = 'slack:';
/** The id of a click in Slack, of its body's hash: a control message tells by it what it wakes. */
export const clickIdOf = (hash: string): string => `${clickPrefix}${hash}`;
export const isClickId = (id: string): boolean => id.startsWith(clickPrefix);
/** An event that starts no run. It has a partition of its own, so that whoever takes it in need not be able to write anything else. */
export const deliveryKey = (id: string): Key => ({ pk: `DELIVERY#${id.replace(':', '#')}`, sk: 'DELIVERY' });

export const runPartition = (run: string): string => `RUN#${run}`;
export const runKey = (run: string): Key => ({ pk: runPartition(run), sk: 'META' });
export const sealedKey = (run: string): Key => ({ pk: runPartition(run), sk: 'SEALED' });
export const linePrefix = 'LINE#';
export const lineKey = (run: string, line: string): Key => ({ pk: runPartition(run), sk: `${linePrefix}${part(line)}` });
export const openPrefix = (round: number, phase: string): string => `OPEN#${round}#${phase}#`;
export const openKey = (run: string, round: number, phase: string, line: string): Key => ({
  pk: runPartition(run),
  sk: `${openPrefix(round, phase)}${part(line)}`,
});
export const logPrefix = 'LOG#';
export const logKey = (run: string, id: string): Key => ({ pk: runPartition(run), sk: `${logPrefix}${id}` });

/** Whose tick a run is of. */
export const tickerPrefix = 'TICKED#';
export const tickerKey = (run: string, login: string): Key => ({ pk: runPartition(run), sk: `${tickerPrefix}${part(login)}` });

/** A message of a run's in a chat, by what it is for: its place, so that it is edited there and never posted twice. */
export const chatKey = (run: string, purpose: string): Key => ({ pk: runPartition(run), sk: `CHAT#${part(purpose)}` });

/** What stopped a round, put once: the first cause wins (P7). */
export const staleKey = (run: string, round: number): Key => ({ pk: runPartition(run), sk: `STALE#${round}` });

export const planPartition = (digest: string): string => `PLAN#${digest}`;
export const questionKey = (digest: string, run: string, q: number): Key => ({ pk: planPartition(digest), sk: `QUESTION#${run}#${q}` });
export const decisionPrefix = (run: string, q: number): string => `DECISION#${run}#${q}#`;
export const decisionKey = (digest: string, run: string, q: number, person: string): Key => ({
  pk: planPartition(digest),
  sk: `${decisionPrefix(run, q)}${part(person)}`,
});

/** The dashboard of a repository: its rows, its ticks and its issue. */
export const dashboardPartition = (repository: string): string => `DASH#${part(repository)}`;
export const issueKey = (repository: string): Key => ({ pk: dashboardPartition(repository), sk: 'ISSUE' });
export const rowPrefix = 'ROW#';
/** @param line of a stack, which has a row of its own beside its plan's. */
export const rowKey = (repository: string, plan: string, environment: string, line?: string): Key => ({
  pk: dashboardPartition(repository),
  sk: `${rowPrefix}${part(plan)}#${part(environment)}${line === undefined ? '' : `#${part(line)}`}`,
});
/** The rows of a plan's stacks. */
export const stackRowPrefix = (plan: string, environment: string): string => `${rowPrefix}${part(plan)}#${part(environment)}#`;
export const tickPrefix = 'TICK#';
/** @param box the box's own id, encoded. */
export const tickKey = (repository: string, box: string): Key => ({ pk: dashboardPartition(repository), sk: `${tickPrefix}${box}` });
