import { LockkeeperError } from '../../../shared/errors/error.ts';
import { scopeName } from '../../../shared/plan/scope.ts';
import type { ReleaseContext } from '../../../shared/plan/types.ts';
import type { Repository } from '../../../shared/ports/code-host.ts';
import type { Invocation } from '../invocation.ts';
import { ciFacts, numberIn } from './ci-variables.ts';
import { type Facts, firstOf, said } from './facts.ts';
import { fullSha, type LocalGit, localGit } from './local-git.ts';
import { localRepository } from './repository.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The repository a command is about. */
export interface Home {
  readonly repository: Repository;
  /** Folder that git is asked in. */
  readonly folder: string;
}

/** Where a command is at work. The scope is known; branch and commit may not be. */
export interface Place extends Home {
  readonly environment: string;
  readonly scope: string;
  readonly branch?: string;
  readonly sha?: string;
  readonly pullRequest?: number;
}

/** A place with all that a run needs. */
export type Release = Place & Omit<ReleaseContext, 'pullRequest'>;

/**
 * The place a command line names: of each field the first that says something of flags, `LOCKKEEPER_CTX_*`, the CI host's
 * variables and git.
 *
 * @throws LockkeeperError CTX_NULL when neither pull request nor branch is known.
 */
export async function placeOf(invocation: Invocation, environment: Environment, folder: string): Promise<Place> {
  const git = await localGit(folder);
  const { env, branch, sha, pr } = invocation;
  const facts = firstOf(said({ environment: env, branch, sha, pullRequest: pr }), ownFacts(environment), ciFacts(environment), git?.facts ?? {});
  if (facts.branch === undefined && typeof facts.pullRequest !== 'number')
    throw missing(
      'It is not known which scope is meant: there is neither a branch nor a pull request here.',
      git ? 'Check out a branch, or pass --branch or --pr.' : outside('--branch or --pr'),
    );
  const scope = scopeName({ pullRequest: facts.pullRequest ?? undefined, branch: facts.branch ?? '', defaultBranch: facts.defaultBranch ?? 'main' });
  return {
    ...homeOf(git, folder, facts),
    environment: facts.environment ?? 'preview',
    scope,
    ...(facts.branch === undefined ? {} : { branch: facts.branch }),
    ...(facts.sha === undefined ? {} : { sha: facts.sha }),
    ...(typeof facts.pullRequest === 'number' ? { pullRequest: facts.pullRequest } : {}),
  };
}

/** The repository alone, for commands that name what they are about. A folder outside of git is one of its own. */
export async function repositoryOf(folder: string): Promise<Home> {
  const git = await localGit(folder);
  return homeOf(git, folder, git?.facts ?? {});
}

function homeOf(git: LocalGit | undefined, folder: string, { defaultBranch }: Facts): Home {
  const root = git?.root ?? folder;
  const remote = git?.remote === undefined ? {} : { remote: git.remote };
  return { repository: localRepository({ root, ...remote, ...(defaultBranch === undefined ? {} : { defaultBranch }) }), folder: root };
}

/**
 * The same with branch and commit, which a run needs.
 *
 * @throws LockkeeperError CTX_NULL, naming what to pass; USAGE for a commit that is none.
 */
export async function releaseOf(invocation: Invocation, environment: Environment, folder: string): Promise<Release> {
  const place = await placeOf(invocation, environment, folder);
  const git = await localGit(folder);
  if (place.branch === undefined) throw missing('The branch is not known here.', git ? 'Check out a branch, or pass --branch.' : outside('--branch'));
  if (place.sha === undefined) throw missing('There is no commit here.', git ? 'Commit first, or pass --sha.' : outside('--sha'));
  return { ...place, branch: place.branch, sha: await wholeCommit(place.folder, place.sha) };
}

/** What the ops and `${ctx.…}` see of it. */
export const contextOf = ({ environment, scope, branch, sha, pullRequest }: Release): ReleaseContext => ({ environment, scope, branch, sha, pullRequest });

/** `LOCKKEEPER_CTX_PR` set to nothing says that there is no pull request. */
function ownFacts(environment: Environment): Facts {
  const pr = environment['LOCKKEEPER_CTX_PR'];
  if (pr && numberIn(pr) === undefined) {
    throw new LockkeeperError({ code: 'CTX_NULL', message: 'LOCKKEEPER_CTX_PR is no pull request number.', hint: 'Set it to a number, or to nothing.' });
  }
  return said({
    environment: environment['LOCKKEEPER_CTX_ENV'],
    branch: environment['LOCKKEEPER_CTX_BRANCH'],
    sha: environment['LOCKKEEPER_CTX_SHA'],
    pullRequest: pr === '' ? null : numberIn(pr),
  });
}

/** Deployments are looked for by the whole id. */
async function wholeCommit(folder: string, sha: string): Promise<string> {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(sha)) return sha.toLowerCase();
  const whole = sha.startsWith('-') ? undefined : await fullSha(folder, sha);
  if (whole !== undefined) return whole;
  throw new LockkeeperError({ code: 'USAGE', message: `${JSON.stringify(sha)} is no commit of this repository.`, hint: 'Give the whole id of a commit.' });
}

const missing = (message: string, hint: string): LockkeeperError => new LockkeeperError({ code: 'CTX_NULL', message, hint });

const outside = (flags: string): string => `Run it inside a git repository, or pass ${flags}.`;
