import type { Answer, Incoming, Json } from '../wire/answer.ts';
import { stringOf } from '../wire/answer.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { appShape, botOf } from './app-shape.ts';
import { invalid, notFound } from './errors.ts';
import { pageOf } from './pages.ts';
import { accountShape, nodeId } from './people.ts';
import type { Comment, Repository } from './state.ts';

/** The longest body GitHub takes, in characters. */
const longest = 65_536;

export function listComments(request: Incoming, scene: Scene, repository: Repository): Answer {
  const issue = issueOf(request, repository);
  if (issue === undefined) return notFound();
  const { items, headers } = pageOf(
    request,
    scene,
    repository.comments.filter((comment) => comment.issue === issue),
  );
  return { status: 200, headers, body: items.map((comment) => commentShape(scene, repository, comment)) };
}

export function createComment(request: Incoming, scene: Scene, repository: Repository): Answer {
  const issue = issueOf(request, repository);
  if (issue === undefined) return notFound();
  const body = stringOf(request.body, 'body');
  const wrong = complaint(body);
  if (wrong !== undefined || body === undefined) return wrong ?? notFound();
  const comment = addComment(scene, repository, issue, body, botOf(scene));
  return { status: 201, body: commentShape(scene, repository, comment) };
}

/** Writes a comment, as anybody. */
export function addComment(scene: Scene, repository: Repository, issue: number, body: string, author: string): Comment {
  const at = scene.moment();
  const comment = { id: numeric(scene.world.source, 2_600_000_000), issue, author, body, createdAt: at, updatedAt: at };
  repository.comments.push(comment);
  return comment;
}

export function getComment(request: Incoming, scene: Scene, repository: Repository): Answer {
  const comment = commentOf(request, repository);
  return comment === undefined ? notFound() : { status: 200, body: commentShape(scene, repository, comment) };
}

export function updateComment(request: Incoming, scene: Scene, repository: Repository): Answer {
  const comment = commentOf(request, repository);
  if (comment === undefined) return notFound();
  const body = stringOf(request.body, 'body');
  const wrong = complaint(body);
  if (wrong !== undefined || body === undefined) return wrong ?? notFound();
  comment.body = body;
  comment.updatedAt = scene.moment();
  return { status: 200, body: commentShape(scene, repository, comment) };
}

export function deleteComment(request: Incoming, _scene: Scene, repository: Repository): Answer {
  const comment = commentOf(request, repository);
  if (comment === undefined) return notFound();
  repository.comments.splice(repository.comments.indexOf(comment), 1);
  return { status: 204 };
}

function complaint(body: string | undefined): Answer | undefined {
  if (body === undefined || body.trim() === '') return invalid('IssueComment', 'body', 'missing_field');
  if ([...body].length > longest) return invalid('IssueComment', 'body', 'unprocessable', `Body is too long (maximum is ${longest} characters)`);
  return undefined;
}

function issueOf(request: Incoming, repository: Repository): number | undefined {
  const number = Number(request.params['number']);
  const isThere = repository.pulls.some((pull) => pull.number === number) || repository.issues?.some((issue) => issue.number === number && !issue.gone);
  return isThere ? number : undefined;
}

function commentOf(request: Incoming, repository: Repository): Comment | undefined {
  return repository.comments.find((comment) => comment.id === Number(request.params['comment']));
}

export function commentShape(scene: Scene, repository: Repository, comment: Comment): Json {
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const bot = comment.author.endsWith('[bot]');
  return {
    url: `${api}/issues/comments/${comment.id}`,
    html_url: `https://github.com/${repository.owner}/${repository.name}/pull/${comment.issue}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.issue}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: accountShape(scene.urls.github, comment.author),
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
    body: comment.body,
    author_association: bot ? 'NONE' : 'MEMBER',
    performed_via_github_app: bot ? appShape(scene) : null,
  };
}
