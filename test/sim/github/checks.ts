import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { objectOf, stringOf } from '../wire/answer.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { appShape } from './app-shape.ts';
import { resolve } from './commits.ts';
import { githubError, invalid, notFound } from './errors.ts';
import { pageOf } from './pages.ts';
import { nodeId } from './people.ts';
import { pullsWith } from './pulls.ts';
import type { CheckAction, CheckRun, Repository } from './state.ts';

/** The longest summary and text, in characters. */
const longest = 65_535;
/** The most buttons, and the longest of what each says. */
const mostActions = 3;
const longestOf = { label: 20, description: 40, identifier: 20 } as const;
const conclusions = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'stale', 'timed_out'];
const statuses = ['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending'];

export function createCheck(request: Incoming, scene: Scene, repository: Repository): Answer {
  const name = stringOf(request.body, 'name');
  const sha = stringOf(request.body, 'head_sha');
  if (name === undefined || name === '') return invalid('CheckRun', 'name', 'missing_field');
  if (sha === undefined) return invalid('CheckRun', 'head_sha', 'missing_field');
  if (repository.commits[sha] === undefined) return githubError(422, `No commit found for SHA: ${sha}`);
  const wrong = complaint(request.body, true);
  if (wrong !== undefined) return wrong;
  const check: CheckRun = {
    id: numeric(scene.world.source, 31_000_000_000),
    sha,
    name,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: iso(scene.now),
    completedAt: null,
    title: null,
    summary: null,
    text: null,
  };
  repository.checks.push(check);
  write(scene, check, request.body);
  return { status: 201, body: checkShape(scene, repository, check) };
}

export function updateCheck(request: Incoming, scene: Scene, repository: Repository): Answer {
  const check = checkOf(request, repository);
  if (check === undefined) return notFound();
  const wrong = complaint(request.body, false);
  if (wrong !== undefined) return wrong;
  write(scene, check, request.body);
  return { status: 200, body: checkShape(scene, repository, check) };
}

export function getCheck(request: Incoming, scene: Scene, repository: Repository): Answer {
  const check = checkOf(request, repository);
  return check === undefined ? notFound() : { status: 200, body: checkShape(scene, repository, check) };
}

/** Check runs of one commit, newest first. `filter=latest`, which is what no filter means, keeps the newest of each name. */
export function listChecks(request: Incoming, scene: Scene, repository: Repository): Answer {
  const { query } = request;
  const commit = resolve(repository, request.params['ref'] ?? '');
  if (commit === undefined) return githubError(422, `No commit found for SHA: ${request.params['ref']}`);
  const name = query.get('check_name');
  const status = query.get('status');
  const app = query.get('app_id');
  const found = repository.checks
    .filter((each) => each.sha === commit.sha && each.name === (name ?? each.name) && each.status === (status ?? each.status))
    .filter(() => app === null || Number(app) === scene.world.github.app.id)
    .toReversed();
  const kept = query.get('filter') === 'all' ? found : found.filter((each, index) => found.findIndex((other) => other.name === each.name) === index);
  const { items, headers } = pageOf(request, scene, kept);
  return { status: 200, headers, body: { total_count: kept.length, check_runs: items.map((check) => checkShape(scene, repository, check)) } };
}

function complaint(body: unknown, fresh: boolean): Answer | undefined {
  const given = objectOf(body) ?? {};
  const { status, conclusion } = given;
  if (status !== undefined && !statuses.includes(String(status))) return invalid('CheckRun', 'status', 'invalid');
  if (conclusion !== undefined && !conclusions.includes(String(conclusion))) return invalid('CheckRun', 'conclusion', 'invalid');
  if (status === 'completed' && conclusion === undefined) return invalid('CheckRun', 'conclusion', 'missing_field');
  const wrong = actionsComplaint(given['actions']);
  if (wrong !== undefined) return wrong;
  if (given['output'] === undefined) return undefined;
  const output = objectOf(given['output']);
  if (stringOf(output, 'summary') === undefined) return invalid('CheckRun', 'summary', 'missing_field');
  if (fresh && stringOf(output, 'title') === undefined) return invalid('CheckRun', 'title', 'missing_field');
  for (const field of ['title', 'summary', 'text']) {
    if ([...(stringOf(output, field) ?? '')].length > longest) {
      return invalid('CheckRun', field, 'invalid', `Only ${longest} characters are allowed; ${field} is too long`);
    }
  }
  return undefined;
}

function actionsComplaint(actions: unknown): Answer | undefined {
  if (actions === undefined) return undefined;
  if (!Array.isArray(actions) || actions.length > mostActions) return invalid('CheckRun', 'actions', 'invalid', `Only ${mostActions} actions are allowed`);
  for (const action of actions) {
    for (const [field, most] of Object.entries(longestOf)) {
      const text = stringOf(action, field);
      if (text === undefined || text === '' || [...text].length > most)
        return invalid('CheckRun', 'actions', 'invalid', `${field} takes 1 to ${most} characters`);
    }
  }
  return undefined;
}

function write(scene: Scene, check: CheckRun, body: unknown): void {
  const conclusion = stringOf(body, 'conclusion');
  const output = objectOf(objectOf(body)?.['output']);
  check.name = stringOf(body, 'name') ?? check.name;
  check.externalId = stringOf(body, 'external_id') ?? check.externalId;
  check.detailsUrl = stringOf(body, 'details_url') ?? check.detailsUrl;
  check.startedAt = stringOf(body, 'started_at') ?? check.startedAt;
  check.status = conclusion === undefined ? (stringOf(body, 'status') ?? check.status) : 'completed';
  // A check that is opened again has no conclusion any more.
  check.conclusion = check.status === 'completed' ? (conclusion ?? check.conclusion) : null;
  check.completedAt = check.status === 'completed' ? (stringOf(body, 'completed_at') ?? iso(scene.now)) : null;
  check.title = stringOf(output, 'title') ?? check.title;
  check.summary = stringOf(output, 'summary') ?? check.summary;
  check.text = stringOf(output, 'text') ?? check.text;
  const actions = objectOf(body)?.['actions'];
  if (Array.isArray(actions)) check.actions = actions as CheckAction[];
}

function checkOf(request: Incoming, repository: Repository): CheckRun | undefined {
  return repository.checks.find((each) => each.id === Number(request.params['check']));
}

export function checkShape(scene: Scene, repository: Repository, check: CheckRun): Json {
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const html = `https://github.com/${repository.owner}/${repository.name}/runs/${check.id}`;
  return {
    id: check.id,
    name: check.name,
    node_id: nodeId('CR', check.id),
    head_sha: check.sha,
    external_id: check.externalId,
    url: `${api}/check-runs/${check.id}`,
    html_url: html,
    details_url: check.detailsUrl ?? html,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: {
      title: check.title,
      summary: check.summary,
      text: check.text,
      annotations_count: 0,
      annotations_url: `${api}/check-runs/${check.id}/annotations`,
    },
    check_suite: { id: 40_000_000_000 + (check.id % 1_000_000) },
    app: appShape(scene),
    pull_requests: pullsWith(repository, check.sha)
      .filter((pull) => pull.open && pull.head === check.sha && pull.fork === undefined)
      .map((pull) => minimalPull(scene, repository, pull.id, pull.number, pull.branch, pull.head, pull.base)),
  };
}

function minimalPull(scene: Scene, repository: Repository, id: number, number: number, branch: string, head: string, base: string): Json {
  const repo = { id: repository.id, url: `${scene.urls.github}/repos/${repository.owner}/${repository.name}`, name: repository.name };
  return {
    id,
    number,
    url: `${repo.url}/pulls/${number}`,
    head: { ref: branch, sha: head, repo },
    base: { ref: base, sha: repository.branches[base] ?? head, repo },
  };
}
