import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import { withLineFeeds } from '../../dashboard/marker.ts';
import { LockkeeperError } from '../../errors/error.ts';
import type { HostIssues, Issue, Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';
import type { Author } from './identity.ts';
import { issueEdits } from './issue-edits.ts';
import { orFound } from './or-found.ts';

/** https://docs.github.com/en/rest/issues/issues#get-an-issue; a pull request is listed among the issues, and says so. */
const issueAnswer = z.object({
  number: z.int(),
  state: z.enum(['open', 'closed']),
  title: z.string(),
  body: z.string().nullish(),
  updated_at: z.iso.datetime(),
  repository_url: z.string(),
  user: z.object({ login: z.string(), type: z.string() }).nullable(),
  pull_request: z.unknown().optional(),
});
type IssueAnswer = z.infer<typeof issueAnswer>;

export interface IssuesOptions {
  readonly of: (repository: Repository) => RepositoryApi;
  /** Whether an author is us. */
  readonly wrote: (repository: Repository, author: Author | null) => Promise<boolean>;
  readonly apiUrl: string;
}

/** Issues of repositories, as this App may read and write them. */
export function githubIssues({ of, wrote, apiUrl }: IssuesOptions): HostIssues {
  const ours = async (repository: Repository, label: string, marker: RegExp): Promise<Issue[]> => {
    const parameters = { labels: label, state: 'all', sort: 'created', direction: 'asc' };
    const found: Issue[] = [];
    for await (const one of of(repository).list({ route: 'GET /issues', parameters }, z.array(issueAnswer), (page) => page)) {
      const [first = ''] = withLineFeeds(one.body ?? '').split('\n', 1);
      if (one.pull_request === undefined && marker.test(first) && (await wrote(repository, one.user))) found.push(issueOf(one));
    }
    return found.sort((a, b) => a.number - b.number);
  };

  return {
    find: (repository, label, marker) => orOff(repository, ours(repository, label, marker)),
    async create(repository, { title, body, label, marker }) {
      const create = of(repository).ask({ route: 'POST /issues', parameters: { title, body, labels: [label] } }, issueAnswer);
      const made = create.then(({ number }) => ({ id: number }));
      const { id } = await orOff(
        repository,
        orFound(made, async () => (await ours(repository, label, marker)).find(({ open }) => open)?.number),
      );
      const issue = await create.catch(() => undefined);
      return issue ? issueOf(issue) : { number: id, open: true, title, body, updatedAt: '' };
    },
    async read(repository, number) {
      const found = await orAbsent(orOff(repository, of(repository).ask({ route: 'GET /issues/{number}', parameters: { number } }, issueAnswer)));
      return found && isHere(found, repository, number) ? issueOf(found) : undefined;
    },
    async write(repository, number, { open, ...change }) {
      const state = open === undefined ? {} : { state: open ? 'open' : 'closed' };
      const written = of(repository).ask({ route: 'PATCH /issues/{number}', parameters: { number, ...change, ...state } }, issueAnswer);
      return (await orAbsent(orOff(repository, written))) !== undefined;
    },
    edits: (repository, number, since) => issueEdits(of(repository), { repository, number, apiUrl, wrote: (author) => wrote(repository, author) }, since),
  };
}

/** An issue that was moved leads to where it is now, which is another repository's. */
const isHere = ({ number, repository_url }: IssueAnswer, { owner, name }: Repository, asked: number): boolean =>
  number === asked && repository_url.toLowerCase().endsWith(`/repos/${owner}/${name}`.toLowerCase());

const issueOf = ({ number, state, title, body, updated_at }: IssueAnswer): Issue => ({
  number,
  open: state === 'open',
  title,
  body: withLineFeeds(body ?? ''),
  updatedAt: updated_at,
});

/** GitHub answers 410 where a repository has no issues, and for one that was deleted: its sentence tells which. 403: the App may not. */
async function orOff<T>({ owner, name }: Repository, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    const { status } = (thrown.problem.details ?? {}) as { status?: number };
    const off = status === 410 && /disabled/i.test(thrown.problem.message);
    if (!off && status !== 403) throw thrown;
    const why = off ? 'issues are turned off' : 'the GitHub App may not write issues';
    throw new LockkeeperError({ code: 'ISSUES_OFF', message: `In ${owner}/${name} ${why}.` }, { cause: thrown });
  }
}
