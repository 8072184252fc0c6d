import { readFileSync } from 'node:fs';
import { type Facts, said } from './facts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the CI host's variables say; nothing outside of one. The first host that is recognised answers. */
export function ciFacts(environment: Environment): Facts {
  if (environment['GITHUB_ACTIONS'] === 'true') return githubFacts(environment);
  if (environment['GITLAB_CI'] === 'true') return gitlabFacts(environment);
  if (environment['CIRCLECI'] === 'true') return circleFacts(environment);
  if (environment['BITBUCKET_BUILD_NUMBER']) return bitbucketFacts(environment);
  return {};
}

/**
 * On `pull_request` GITHUB_SHA is a merge commit that nobody pushed and nothing is deployed of: the head is in the event.
 * docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows#pull_request
 */
function githubFacts(environment: Environment): Facts {
  const event = githubEvent(environment['GITHUB_EVENT_PATH']);
  const fromRef = /^refs\/pull\/(\d+)\//.exec(environment['GITHUB_REF'] ?? '')?.[1];
  const number = event.pull_request?.number ?? event.number ?? numberIn(fromRef);
  return said({
    branch: environment['GITHUB_HEAD_REF'] || environment['GITHUB_REF_NAME'],
    sha: event.pull_request?.head?.sha ?? environment['GITHUB_SHA'],
    pullRequest: number ?? null,
    defaultBranch: event.repository?.default_branch,
  });
}

function gitlabFacts(environment: Environment): Facts {
  return said({
    branch: environment['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'] || environment['CI_COMMIT_REF_NAME'],
    sha: environment['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || environment['CI_COMMIT_SHA'],
    pullRequest: numberIn(environment['CI_MERGE_REQUEST_IID']) ?? null,
    defaultBranch: environment['CI_DEFAULT_BRANCH'],
  });
}

function circleFacts(environment: Environment): Facts {
  return said({
    branch: environment['CIRCLE_BRANCH'],
    sha: environment['CIRCLE_SHA1'],
    pullRequest: numberIn(/\/(\d+)\/?$/.exec(environment['CIRCLE_PULL_REQUEST'] ?? '')?.[1]) ?? null,
  });
}

function bitbucketFacts(environment: Environment): Facts {
  return said({
    branch: environment['BITBUCKET_BRANCH'],
    sha: environment['BITBUCKET_COMMIT'],
    pullRequest: numberIn(environment['BITBUCKET_PR_ID']) ?? null,
  });
}

interface GithubEvent {
  readonly number?: number;
  readonly pull_request?: { readonly number?: number; readonly head?: { readonly sha?: string } };
  readonly repository?: { readonly default_branch?: string };
}

/** The payload of the event that started the workflow. Without one the variables have to do. */
function githubEvent(path: string | undefined): GithubEvent {
  if (!path) return {};
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as GithubEvent | null) ?? {};
  } catch {
    return {};
  }
}

/** A pull request's number; undefined for text that is none. */
export const numberIn = (text: string | undefined): number | undefined => (text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);
