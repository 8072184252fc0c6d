import { one } from '../control/places.ts';
import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { appShape } from './app-shape.ts';
import { around } from './around.ts';
import { checkShape } from './checks.ts';
import { addComment, commentShape } from './comments.ts';
import { accountShape, nodeId } from './people.ts';
import type { Repository } from './state.ts';

/** `check_run` `rerequested`: somebody pressed "Re-run" on it. GitHub has taken its conclusion away by then, and its status is queued. */
export function checkRunPayload(scene: Scene, repository: Repository, id: number, sender: string): Json {
  const check = one(`check run ${id}`, repository.checks, (each) => each.id === id);
  Object.assign(check, { status: 'queued', conclusion: null, completedAt: null });
  const check_suite = { ...suite(scene, repository, check.sha), app: appShape(scene) };
  return { action: 'rerequested', check_run: { ...checkShape(scene, repository, check), check_suite }, ...around(scene, repository, sender) };
}

/** `check_run` `requested_action`: somebody pressed a button of it, perhaps on a page that shows what the check no longer is. */
export function pressedPayload(scene: Scene, repository: Repository, id: number, identifier: string, sender: string): Json {
  const check = one(`check run ${id}`, repository.checks, (each) => each.id === id);
  const check_suite = { ...suite(scene, repository, check.sha), app: appShape(scene) };
  const check_run = { ...checkShape(scene, repository, check), check_suite };
  return { action: 'requested_action', check_run, requested_action: { identifier }, ...around(scene, repository, sender) };
}

/** `check_suite` `rerequested`: "Re-run all checks" of a commit. */
export function checkSuitePayload(scene: Scene, repository: Repository, sha: string, sender: string): Json {
  const commit = one(`commit ${sha}`, Object.values(repository.commits), (each) => each.sha === sha);
  const checks = repository.checks.filter((each) => each.sha === sha);
  for (const check of checks) Object.assign(check, { status: 'queued', conclusion: null, completedAt: null });
  const person = { name: 'Kim', email: 'kim@acme.example' };
  const shown = suite(scene, repository, sha);
  return {
    action: 'rerequested',
    check_suite: {
      ...shown,
      app: appShape(scene),
      latest_check_runs_count: checks.length,
      check_runs_url: `${shown['url']}/check-runs`,
      head_commit: { id: sha, tree_id: sha, message: commit.message, timestamp: iso(commit.at), author: person, committer: person },
    },
    ...around(scene, repository, sender),
  };
}

function suite(scene: Scene, repository: Repository, sha: string): Json {
  const id = 40_000_000_000 + (Number.parseInt(sha.slice(0, 6), 16) % 1_000_000);
  const branch = Object.entries(repository.branches).find(([, tip]) => tip === sha)?.[0] ?? null;
  const url = `${scene.urls.github}/repos/${repository.owner}/${repository.name}/check-suites/${id}`;
  const times = { created_at: iso(scene.now), updated_at: iso(scene.now) };
  return {
    id,
    node_id: nodeId('CS', id),
    head_branch: branch,
    head_sha: sha,
    status: 'completed',
    conclusion: 'failure',
    url,
    before: repository.commits[sha]?.parents[0] ?? null,
    after: sha,
    pull_requests: [],
    ...times,
  };
}

/** `issue_comment` `created`: the comment is written, and told. */
export function commentPayload(scene: Scene, repository: Repository, number: number, body: string, author: string): Json {
  const pull = one(`pull request ${number}`, repository.pulls, (each) => each.number === number);
  const comment = commentShape(scene, repository, addComment(scene, repository, number, body, author));
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const html = `https://github.com/${repository.owner}/${repository.name}/pull/${number}`;
  const url = `${api}/issues/${number}`;
  const issue = {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    number,
    title: pull.title,
    user: accountShape(scene.urls.github, 'kim'),
    labels: [],
    state: pull.open ? 'open' : 'closed',
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: repository.comments.filter((each) => each.issue === number).length,
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: pull.closedAt === undefined ? null : iso(pull.closedAt),
    author_association: 'MEMBER',
    body: null,
    pull_request: { url: `${api}/pulls/${number}`, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch`, merged_at: null },
  };
  return { action: 'created', issue, comment, ...around(scene, repository, author) };
}
