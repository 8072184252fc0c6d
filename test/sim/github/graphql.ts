import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { githubError } from './errors.ts';
import { issuesOf } from './issues.ts';

/** The one question that is asked in GraphQL: what an issue's body was, and whose edits made it so. The newest comes first. */
export function graphql(request: Incoming, scene: Scene): Answer {
  const { query, variables } = request.body as { query?: string; variables?: { owner: string; name: string; number: number; after?: string | null } };
  const first = Number(/userContentEdits\(first: (\d+)/.exec(query ?? '')?.[1]);
  if (variables === undefined || !(first > 0)) return githubError(400, 'A query attribute must be specified and must be a string.');
  const repository = scene.world.github.repositories.find(({ owner, name }) => owner === variables.owner && name === variables.name);
  const issue = repository && issuesOf(repository).find((each) => each.number === variables.number && !each.gone);
  if (!issue) return { status: 200, body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to an Issue.' }] } };
  const all = issue.edits.toReversed();
  const start = Number(variables.after ?? 0);
  const nodes = all.slice(start, start + first).map(({ at, editor, body }) => ({ editedAt: iso(at), diff: body, editor: actorOf(editor) }));
  const end = start + nodes.length;
  const pageInfo = { hasNextPage: end < all.length, endCursor: nodes.length === 0 ? null : String(end) };
  return { status: 200, body: { data: { repository: { issue: { userContentEdits: { pageInfo, nodes } } } } } };
}

/** GraphQL names an app without the `[bot]` that REST puts behind it. */
const actorOf = (login: string) => (login.endsWith('[bot]') ? { __typename: 'Bot', login: login.slice(0, -5) } : { __typename: 'User', login });
