import { z } from 'zod';
import { withLineFeeds } from '../../dashboard/marker.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { IssueEdit, Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';
import type { Author } from './identity.ts';

/**
 * What an issue's body was, by GraphQL: REST has no history. The first entry is the newest; `diff` is the whole body as it was then, and null
 * where somebody deleted that entry. An issue that nobody has edited has none.
 * https://docs.github.com/en/graphql/reference/objects#usercontentedit
 */
const query = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      userContentEdits(first: 20, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { editedAt diff editor { __typename login } }
      }
    }
  }
}`;

const editNode = z.object({
  editedAt: z.iso.datetime(),
  diff: z.string().nullish(),
  editor: z.object({ __typename: z.string(), login: z.string() }).nullish(),
});
const answer = z.object({
  data: z
    .object({
      repository: z
        .object({
          issue: z
            .object({
              userContentEdits: z
                .object({ pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }), nodes: z.array(editNode.nullable()).nullish() })
                .nullish(),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
  errors: z.array(z.object({ message: z.string(), type: z.string().optional() })).optional(),
});

/** Pages that are read at most: a hundred entries are all that GitHub keeps. */
const mostPages = 5;

export interface Asked {
  readonly repository: Repository;
  readonly number: number;
  readonly apiUrl: string;
  readonly wrote: (author: Author) => Promise<boolean>;
}

/** Newest first, back to the first that is older than `since`. @throws LockkeeperError CODE_HOST where GitHub does not tell. */
export async function issueEdits(api: RepositoryApi, { repository, number, apiUrl, wrote }: Asked, since?: string): Promise<IssueEdit[]> {
  const found: IssueEdit[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const variables = { owner: repository.owner, name: repository.name, number, after };
    const told: z.infer<typeof answer> = await api.ask(
      { route: 'POST /graphql', parameters: { baseUrl: graphqlBase(apiUrl), query, variables }, repeatable: true },
      answer,
    );
    if (told.errors !== undefined && !told.errors.every(({ type }) => type === 'NOT_FOUND')) throw unanswered(number, told.errors[0]?.message);
    const edits = told.data?.repository?.issue?.userContentEdits;
    for (const node of edits?.nodes ?? []) {
      if (!node) continue;
      found.push(await editOf(node, wrote));
      if (since !== undefined && node.editedAt < since) return found;
    }
    if (!edits?.pageInfo.hasNextPage) return found;
    after = edits.pageInfo.endCursor ?? null;
  }
  return found;
}

async function editOf({ editedAt, diff, editor }: z.infer<typeof editNode>, wrote: Asked['wrote']): Promise<IssueEdit> {
  const body = diff === null || diff === undefined ? null : withLineFeeds(diff);
  if (!editor) return { at: editedAt, by: null, body };
  const author = authorOf(editor);
  return { at: editedAt, by: { ...author, ours: await wrote(author) }, body };
}

/** GraphQL names an App without the `[bot]` that REST puts behind it. */
function authorOf({ __typename, login }: { readonly __typename: string; readonly login: string }): Author {
  const isBot = __typename === 'Bot';
  return { login: isBot && !login.endsWith('[bot]') ? `${login}[bot]` : login, type: __typename };
}

/** Below `/api/v3` an Enterprise Server has REST alone. */
const graphqlBase = (apiUrl: string): string => apiUrl.replace(/\/api\/v3\/?$/, '/api').replace(/\/+$/, '');

const unanswered = (number: number, message = 'it said nothing'): LockkeeperError =>
  new LockkeeperError({ code: 'CODE_HOST', message: `GitHub does not tell who edited issue #${number}: ${message}` });
