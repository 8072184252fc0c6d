import type { Json } from '../wire/answer.ts';
import { iso } from '../world/world.ts';
import { accountShape, nodeId } from './people.ts';
import type { Fork, Repository } from './state.ts';

const links: Record<string, string> = {
  forks_url: '/forks',
  keys_url: '/keys{/key_id}',
  collaborators_url: '/collaborators{/collaborator}',
  teams_url: '/teams',
  hooks_url: '/hooks',
  issue_events_url: '/issues/events{/number}',
  events_url: '/events',
  assignees_url: '/assignees{/user}',
  branches_url: '/branches{/branch}',
  tags_url: '/tags',
  blobs_url: '/git/blobs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  git_refs_url: '/git/refs{/sha}',
  trees_url: '/git/trees{/sha}',
  statuses_url: '/statuses/{sha}',
  languages_url: '/languages',
  stargazers_url: '/stargazers',
  contributors_url: '/contributors',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  commits_url: '/commits{/sha}',
  git_commits_url: '/git/commits{/sha}',
  comments_url: '/comments{/number}',
  issue_comment_url: '/issues/comments{/number}',
  contents_url: '/contents/{+path}',
  compare_url: '/compare/{base}...{head}',
  merges_url: '/merges',
  archive_url: '/{archive_format}{/ref}',
  downloads_url: '/downloads',
  issues_url: '/issues{/number}',
  pulls_url: '/pulls{/number}',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  labels_url: '/labels{/name}',
  releases_url: '/releases{/id}',
  deployments_url: '/deployments',
};

/** A repository as it stands inside other answers. */
export function repositoryShape(api: string, repository: Repository): Json {
  return shape(api, repository, repository, false);
}

/** A repository, or a fork, as it stands in webhook payloads: there GitHub's examples hold one thing more than its API publishes. */
export const inWebhook = (shape: Json): Json => ({ ...shape, custom_properties: {} });

/** A fork: all we know of it is where it is; the rest is like the repository it came from. */
export function forkShape(api: string, repository: Repository, fork: Fork): Json {
  return shape(api, fork, repository, true);
}

/** A repository as `GET /repos/{owner}/{repo}` shows it. */
export function fullRepositoryShape(api: string, repository: Repository): Json {
  return {
    ...repositoryShape(api, repository),
    network_count: 0,
    subscribers_count: 1,
    temp_clone_token: null,
    custom_properties: {},
    organization: accountShape(api, repository.owner, true),
  };
}

function shape(api: string, place: Fork, repository: Repository, fork: boolean): Json {
  const full = `${place.owner}/${place.name}`;
  const url = `${api}/repos/${full}`;
  const html = `https://github.com/${full}`;
  return {
    id: place.id,
    node_id: nodeId('R', place.id),
    name: place.name,
    full_name: full,
    private: repository.private,
    owner: accountShape(api, place.owner, !fork),
    html_url: html,
    description: null,
    fork,
    url,
    ...Object.fromEntries(Object.entries(links).map(([key, path]) => [key, `${url}${path}`])),
    created_at: iso(repository.createdAt),
    updated_at: iso(repository.createdAt),
    pushed_at: iso(repository.createdAt),
    git_url: `git://github.com/${full}.git`,
    ssh_url: `git@github.com:${full}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: null,
    size: 42,
    stargazers_count: 0,
    watchers_count: 0,
    language: 'TypeScript',
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: repository.pulls.filter((pull) => pull.open).length,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    open_issues: repository.pulls.filter((pull) => pull.open).length,
    watchers: 0,
    default_branch: repository.defaultBranch,
  };
}
