import { packedFiles } from '../../shared/platform/tar-file.ts';
import type { CheckRun, CodeHost, Comment, Delivery, Permission, PullRequest, Repository } from '../../shared/ports/code-host.ts';
import { type FakeIssues, fakeIssues } from './fake-issues.ts';

export interface FakeCodeHost {
  readonly host: CodeHost;
  readonly pulls: Map<number, PullRequest>;
  /** The merged pull request of a commit. */
  readonly merged: Map<string, number>;
  /** What the host tried to tell, newest first, and what it was asked to tell again. */
  readonly deliveries: Delivery[];
  readonly askedAgain: string[];
  /** When a pull request changed last, epoch ms: in 1970 where it is not said. */
  readonly updated: Map<number, number>;
  /** Writes a file at a commit. */
  commit(sha: string, path: string, body: string): void;
  /** Commits of one line of history, oldest first: what `ancestry` answers from. */
  readonly history: string[];
  /** Where a commit left the default branch, where it is not at the commit itself. */
  readonly mergeBases: Map<string, string>;
  /** Commits at the tips of branches; a branch that is not here is gone. */
  readonly tips: Map<string, string>;
  readonly comments: Map<string, string>;
  readonly checks: Map<string, CheckRun>;
  /** What people may do, by login in small letters. */
  readonly people: Map<string, Permission>;
  /** What people wrote, by number; where no moment is said, a moment ago, whenever it is asked for. */
  readonly written: Map<number, Omit<Comment, 'at'> & Partial<Pick<Comment, 'at'>>>;
  /** Logins that are no person's, in small letters. */
  readonly bots: Set<string>;
  /** Members of teams, by `organization/slug` in small letters; a team that is not here is one nobody is let see. */
  readonly teams: Map<string, readonly string[]>;
  /** Issues, of which there are none. */
  readonly issues: FakeIssues;
  /** Who wrote a commit, by its SHA. */
  readonly authors: Map<string, readonly string[]>;
  /** Where the host's repository differs from what a webhook says of it. */
  repository: Partial<Repository>;
  /** What brings back as they are now what changes while runs go on: pull requests, tips, surfaces, people. As often as it is called. */
  keep(): () => void;
  /** Runs before each question is answered: for a world that changes meanwhile. */
  onAsk: ((question: keyof CodeHost) => void) | undefined;
}

/** A repository's host in memory. */
export function fakeCodeHost(now: () => number = () => 0): FakeCodeHost {
  const issues = fakeIssues(now);
  const files = new Map<string, string>();
  const fake: FakeCodeHost = {
    pulls: new Map(),
    tips: new Map(),
    mergeBases: new Map(),
    merged: new Map(),
    deliveries: [],
    askedAgain: [],
    updated: new Map(),
    commit: (sha, path, body) => void files.set(`${sha}:${path}`, body),
    history: [],
    comments: new Map(),
    checks: new Map(),
    people: new Map(),
    bots: new Set(),
    written: new Map(),
    teams: new Map(),
    authors: new Map(),
    issues,
    repository: {},
    keep: () => backOf(fake.pulls, fake.tips, fake.comments, fake.checks, fake.people),
    onAsk: undefined,
    host: {
      issues: issues.issues,
      repository: async (repository) => ({ ...repository, ...fake.repository }),
      async file(_repository, path, commit) {
        fake.onAsk?.('file');
        const body = files.get(`${commit}:${path}`);
        return body === undefined ? undefined : Buffer.from(body);
      },
      async archive(_repository, commit) {
        fake.onAsk?.('archive');
        const own = [...files].filter(([name]) => name.startsWith(`${commit}:`));
        return packedFiles(own.map(([name, body]) => ({ path: name.slice(commit.length + 1), body: Buffer.from(body) })));
      },
      async pullRequest(_repository, number) {
        fake.onAsk?.('pullRequest');
        return fake.pulls.get(number);
      },
      async pullRequestsAt(_repository, commit) {
        fake.onAsk?.('pullRequestsAt');
        return [...fake.pulls.values()].filter((one) => one.open && one.head.sha === commit);
      },
      async openPullRequests(_repository, since) {
        fake.onAsk?.('openPullRequests');
        const open = [...fake.pulls.values()].filter((one) => one.open);
        return open.map((one) => ({ ...one, author: 'mona', updatedAt: fake.updated.get(one.number) ?? 0 })).filter((one) => one.updatedAt >= since);
      },
      async mergedPullRequest(_repository, commit) {
        fake.onAsk?.('mergedPullRequest');
        return fake.merged.get(commit);
      },
      async branchTip(_repository, branch) {
        fake.onAsk?.('branchTip');
        return fake.tips.get(branch);
      },
      async defaultTip({ defaultBranch }) {
        fake.onAsk?.('defaultTip');
        return fake.tips.get(fake.repository.defaultBranch ?? defaultBranch);
      },
      async comment(_repository, id) {
        fake.onAsk?.('comment');
        const found = fake.written.get(id);
        return found && { at: '9999-12-31T23:59:59Z', ...found };
      },
      async mergeBase(_repository, commit) {
        fake.onAsk?.('mergeBase');
        return fake.mergeBases.get(commit) ?? commit;
      },
      async ancestry(_repository, commit, base) {
        const [at, from] = [fake.history.indexOf(commit), fake.history.indexOf(base)];
        if (commit === base) return 'same';
        if (at < 0 || from < 0) return 'diverged';
        return at < from ? 'behind' : 'ahead';
      },
      async permission(_repository, login) {
        fake.onAsk?.('permission');
        return fake.people.get(login.toLowerCase()) ?? 'none';
      },
      async isPerson(_repository, login) {
        fake.onAsk?.('isPerson');
        return !fake.bots.has(login.toLowerCase());
      },
      async inTeam(_repository, team, login) {
        fake.onAsk?.('inTeam');
        return fake.teams.get(team.toLowerCase())?.some((one) => one.toLowerCase() === login.toLowerCase()) ?? 'hidden';
      },
      async authorsOf(_repository, commit) {
        fake.onAsk?.('authorsOf');
        return fake.authors.get(commit) ?? [];
      },
      deliveries: {
        async *since(moment) {
          fake.onAsk?.('deliveries');
          yield* fake.deliveries.filter(({ at }) => at >= moment);
        },
        again: async (id) => void fake.askedAgain.push(id),
      },
      surfaces: {
        async upsertComment(_repository, pull, marker, body) {
          fake.onAsk?.('surfaces');
          fake.comments.set(`${pull} ${marker}`, body);
          return [...fake.comments.keys()].indexOf(`${pull} ${marker}`) + 1;
        },
        async upsertCheck(_repository, check) {
          fake.onAsk?.('surfaces');
          const name = `${check.commit} ${check.name}`;
          fake.checks.set(name, check);
          return [...fake.checks.keys()].indexOf(name) + 1;
        },
        repositoryUrl: ({ owner, name }) => `https://github.example/${owner}/${name}`,
        checkUrl: ({ owner, name }, id) => `https://github.example/${owner}/${name}/runs/${id}`,
      },
    },
  };
  return fake;
}

function backOf(...maps: readonly Map<unknown, unknown>[]): () => void {
  const kept = maps.map((map) => [map, [...map]] as const);
  return () => {
    for (const [map, entries] of kept) {
      map.clear();
      for (const [key, value] of entries) map.set(key, value);
    }
  };
}
