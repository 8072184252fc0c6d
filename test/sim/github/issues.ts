import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { stringOf } from '../wire/answer.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { appShape, botOf } from './app-shape.ts';
import { githubError, invalid, notFound } from './errors.ts';
import { pageOf } from './pages.ts';
import { accountShape, nodeId } from './people.ts';
import type { Issue, Repository } from './state.ts';

/** The longest body GitHub takes, in characters. */
const longest = 65_536;

/** Every issue of a repository: pull requests are numbered with them, and are not kept here. */
export const issuesOf = (repository: Repository): Issue[] => (repository.issues ??= []);

export function listIssues(request: Incoming, scene: Scene, repository: Repository): Answer {
  if (repository.issuesOff) return off(repository);
  const state = request.query.get('state') ?? 'open';
  const labels = (request.query.get('labels') ?? '').split(',').filter((label) => label !== '');
  const found = issuesOf(repository)
    .filter((issue) => !issue.gone && (state === 'all' || issue.open === (state === 'open')))
    .filter((issue) => labels.every((label) => issue.labels.includes(label)));
  if (request.query.get('direction') !== 'asc') found.reverse();
  const { items, headers } = pageOf(request, scene, found);
  return { status: 200, headers, body: items.map((issue) => issueShape(scene, repository, issue)) };
}

export function getIssue(request: Incoming, scene: Scene, repository: Repository): Answer {
  const issue = issuesOf(repository).find((each) => each.number === Number(request.params['number']));
  if (issue?.gone) return githubError(410, 'This issue was deleted');
  if (repository.issuesOff) return off(repository);
  return issue === undefined ? notFound() : { status: 200, body: issueShape(scene, repository, issue) };
}

export function createIssue(request: Incoming, scene: Scene, repository: Repository): Answer {
  if (repository.issuesOff) return off(repository);
  const [title, body = ''] = [stringOf(request.body, 'title'), stringOf(request.body, 'body')];
  const wrong = complaint(title, body);
  if (wrong !== undefined || title === undefined) return wrong ?? notFound();
  const labels = (request.body as { labels?: string[] }).labels ?? [];
  return { status: 201, body: issueShape(scene, repository, openIssue(scene, repository, { title, body, labels, author: botOf(scene) })) };
}

export function updateIssue(request: Incoming, scene: Scene, repository: Repository): Answer {
  const issue = issuesOf(repository).find((each) => each.number === Number(request.params['number']) && !each.gone);
  if (repository.issuesOff) return off(repository);
  if (issue === undefined) return notFound();
  const { title = issue.title, body = issue.body, state } = request.body as { title?: string; body?: string; state?: string };
  const wrong = complaint(title, body);
  if (wrong !== undefined) return wrong;
  issue.title = title;
  editBody(scene, issue, body, botOf(scene));
  if (state !== undefined) issue.open = state === 'open';
  issue.updatedAt = scene.moment();
  return { status: 200, body: issueShape(scene, repository, issue) };
}

export function openIssue(
  scene: Scene,
  repository: Repository,
  { title, body, labels, author }: Pick<Issue, 'title' | 'body' | 'author'> & { labels: readonly string[] },
): Issue {
  const at = scene.moment();
  const number = Math.max(0, ...repository.pulls.map((each) => each.number), ...issuesOf(repository).map((each) => each.number)) + 1;
  const issue = {
    id: numeric(scene.world.source, 2_700_000_000),
    number,
    title,
    body,
    labels: [...labels],
    author,
    open: true,
    createdAt: at,
    updatedAt: at,
    edits: [],
  };
  issuesOf(repository).push(issue);
  return issue;
}

/** Another body, with whose edit it was: the first edit puts what was there before into the history, too. */
export function editBody(scene: Scene, issue: Issue, body: string, editor: string): void {
  if (body === issue.body) return;
  const at = scene.moment();
  if (issue.edits.length === 0) issue.edits.push({ at: issue.createdAt, editor: issue.author, body: issue.body });
  issue.edits.push({ at, editor, body });
  issue.body = body;
  issue.updatedAt = at;
}

const off = ({ owner, name }: Repository): Answer => githubError(410, `Issues are disabled for ${owner}/${name}`);

function complaint(title: string | undefined, body: string): Answer | undefined {
  if (title === undefined || title.trim() === '') return invalid('Issue', 'title', 'missing_field');
  if ([...body].length > longest) return invalid('Issue', 'body', 'unprocessable', `Body is too long (maximum is ${longest} characters)`);
  return undefined;
}

export function issueShape(scene: Scene, repository: Repository, issue: Issue): Json {
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const url = `${api}/issues/${issue.number}`;
  const bot = issue.author.endsWith('[bot]');
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `https://github.com/${repository.owner}/${repository.name}/issues/${issue.number}`,
    id: issue.id,
    node_id: nodeId('I', issue.id),
    number: issue.number,
    title: issue.title,
    user: accountShape(scene.urls.github, issue.author),
    labels: issue.labels.map((name) => ({ name, color: 'ededed', default: false })),
    state: issue.open ? 'open' : 'closed',
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: repository.comments.filter((each) => each.issue === issue.number).length,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: issue.open ? null : iso(issue.updatedAt),
    author_association: bot ? 'NONE' : 'MEMBER',
    body: issue.body,
    performed_via_github_app: bot ? appShape(scene) : null,
  };
}
