import type { Json } from '../wire/answer.ts';
import { iso } from '../world/world.ts';
import { ancestry } from './commits.ts';
import { accountShape, nodeId } from './people.ts';
import { forkShape, repositoryShape } from './repository-shape.ts';
import type { PullRequest, Repository } from './state.ts';

/** A pull request as lists show it. */
export function simplePullShape(api: string, repository: Repository, pull: PullRequest): Json {
  const repo = `${api}/repos/${repository.owner}/${repository.name}`;
  const url = `${repo}/pulls/${pull.number}`;
  const html = `https://github.com/${repository.owner}/${repository.name}/pull/${pull.number}`;
  const issue = `${repo}/issues/${pull.number}`;
  const statuses = `${repo}/statuses/${pull.head}`;
  return {
    url,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    number: pull.number,
    state: pull.open ? 'open' : 'closed',
    locked: false,
    title: pull.title,
    user: accountShape(api, pull.fork?.owner ?? 'kim'),
    body: null,
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: pull.closedAt === undefined ? null : iso(pull.closedAt),
    merged_at: pull.merged && pull.closedAt !== undefined ? iso(pull.closedAt) : null,
    merge_commit_sha: pull.mergedAs?.commit ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: false,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repo}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    head: headShape(api, repository, pull),
    base: {
      label: `${repository.owner}:${pull.base}`,
      ref: pull.base,
      sha: repository.branches[pull.base] ?? pull.head,
      user: accountShape(api, repository.owner, true),
      repo: repositoryShape(api, repository),
    },
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${repo}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: pull.fork === undefined ? 'MEMBER' : 'NONE',
    auto_merge: null,
    active_lock_reason: null,
  };
}

/** A pull request as `GET /pulls/{n}` and webhook payloads show it. */
export function pullShape(api: string, repository: Repository, pull: PullRequest): Json {
  return {
    ...simplePullShape(api, repository, pull),
    merged: pull.merged,
    mergeable: pull.open ? true : null,
    rebaseable: pull.open ? true : null,
    mergeable_state: pull.open ? 'clean' : 'unknown',
    merged_by: pull.merged ? accountShape(api, 'kim') : null,
    comments: repository.comments.filter((comment) => comment.issue === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  };
}

function headShape(api: string, repository: Repository, pull: PullRequest): Json {
  const owner = pull.fork === undefined ? repository.owner : (pull.fork?.owner ?? 'ghost');
  return {
    label: `${owner}:${pull.branch}`,
    ref: pull.branch,
    sha: pull.head,
    user: accountShape(api, owner, pull.fork === undefined),
    repo: pull.fork === null ? null : pull.fork === undefined ? repositoryShape(api, repository) : forkShape(api, repository, pull.fork),
  };
}

/**
 * Pull requests of a commit: those that were merged as it, or that brought it; while the default branch does not have it, those that are
 * open and bring it.
 */
export function pullsWith(repository: Repository, sha: string): PullRequest[] {
  return repository.pulls.filter((pull) => {
    const { mergedAs } = pull;
    if (mergedAs) return mergedAs.commit === sha || (ancestry(repository, pull.head).has(sha) && !ancestry(repository, mergedAs.base).has(sha));
    const base = repository.branches[pull.base];
    return ancestry(repository, pull.head).has(sha) && (base === undefined || !ancestry(repository, base).has(sha));
  });
}
