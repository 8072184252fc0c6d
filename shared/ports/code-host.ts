/** A repository, by the id that survives a rename; owner and name are for people and for requests. */
export interface Repository {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
}

export interface PullRequest {
  readonly number: number;
  readonly open: boolean;
  readonly head: { readonly sha: string; readonly branch: string; readonly fork: boolean };
  /** The branch it is to be merged into; absent: nobody has asked. */
  readonly base?: string;
}

/** An open pull request as a list of them shows it. */
export interface OpenPullRequest extends PullRequest {
  readonly author: string;
  /** When anything about it changed last, epoch ms. */
  readonly updatedAt: number;
}

/** One attempt of the host to tell us of an event. */
export interface Delivery {
  readonly id: string;
  /** The event's own id, the same for every attempt at it. */
  readonly guid: string;
  /** Epoch ms. */
  readonly at: number;
  /** What we answered; 0 where no answer came. */
  readonly status: number;
}

/** What the host has told us, or tried to. */
export interface HostDeliveries {
  /** Newest first, back to a moment (epoch ms). */
  since(moment: number): AsyncIterable<Delivery>;
  /** Asks the host for another attempt at an event, by one of its deliveries. */
  again(id: string): Promise<void>;
}

/** What a person may do on a repository, least last. A host without accounts says `none`. */
export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

/** A file's bytes; `not-a-file` where the path is a folder or another repository; undefined where the commit has nothing there. */
export type FileAnswer = Uint8Array | 'not-a-file' | undefined;

/** How `commit` stands to `base`: `unknown` when the host cannot tell. */
export type Ancestry = 'same' | 'ahead' | 'behind' | 'diverged' | 'unknown';

/** What somebody wrote: their login, the text as it is now, and when it was first written, ISO 8601, to the second by the host's clock. */
export interface Comment {
  readonly login: string;
  readonly body: string;
  readonly at: string;
}

/**
 * GitHub, or git on a person's machine. Answers are the host's present state: runs judge the world, not the event.
 *
 * @throws LockkeeperError with a PROVIDER_* code, or GIT_FAILED, when the host cannot be asked.
 */
export interface CodeHost {
  /** It tells what the host said earlier: the host itself does not answer. */
  readonly unverified?: true;
  /** The repository of that owner and name as it is now; undefined where there is none. Its id may be another than was asked for. */
  repository(repository: Repository): Promise<Repository | undefined>;
  file(repository: Repository, path: string, commit: string): Promise<FileAnswer>;
  /**
   * The files of a commit: a gzipped tar, everything below one folder whose name says nothing. Submodules are empty folders in it, and files
   * kept by LFS are their pointers.
   *
   * @throws LockkeeperError SOURCE_TOO_LARGE beyond 64 MB, packed.
   */
  archive(repository: Repository, commit: string): Promise<Uint8Array>;
  pullRequest(repository: Repository, number: number): Promise<PullRequest | undefined>;
  /** Open pull requests whose head is this commit. */
  pullRequestsAt(repository: Repository, commit: string): Promise<PullRequest[]>;
  /** Open pull requests that changed since a moment (epoch ms), the latest first. */
  openPullRequests(repository: Repository, since: number): Promise<readonly OpenPullRequest[]>;
  /** The pull request into the default branch that was merged as this commit; undefined for a commit that was pushed by itself. */
  mergedPullRequest(repository: Repository, commit: string): Promise<number | undefined>;
  /** The commit a branch points to; undefined where the branch is gone. */
  branchTip(repository: Repository, branch: string): Promise<string | undefined>;
  /**
   * The commit at the tip of the default branch, whose policy rules. Undefined only where no policy can be: in a folder without a commit.
   *
   * @throws LockkeeperError CODE_HOST or GIT_FAILED when there must be such a branch and it cannot be read.
   */
  defaultTip(repository: Repository): Promise<string | undefined>;
  /** A comment as it stands now; undefined where there is none of that number. */
  comment(repository: Repository, id: number): Promise<Comment | undefined>;
  /** The commit where two histories part, as far as the host can tell. */
  mergeBase(repository: Repository, commit: string, base: string): Promise<string | undefined>;
  ancestry(repository: Repository, commit: string, base: string): Promise<Ancestry>;
  /** What a person may do there at this moment; `none` for whom the host does not know. */
  permission(repository: Repository, login: string): Promise<Permission>;
  /** Whether a login is a person's account at this moment: no app's, no organization's, and not gone. A host without accounts knows none. */
  isPerson(repository: Repository, login: string): Promise<boolean>;
  /**
   * Whether a person is in a team (`organization/slug`) or a team below it at this moment, and has accepted that. `hidden`: the host does
   * not let us see the team.
   */
  inTeam(repository: Repository, team: string, login: string): Promise<boolean | 'hidden'>;
  /** Logins of whoever wrote and whoever committed a commit, as far as the host knows them; machines of the host's own are left out. */
  authorsOf(repository: Repository, commit: string): Promise<readonly string[]>;
  /** Undefined on a host that has no comments and checks. */
  readonly surfaces?: HostSurfaces;
  /** Undefined on a host that has no issues. */
  readonly issues?: HostIssues;
  /** Undefined on a host that tells nobody of events. */
  readonly deliveries?: HostDeliveries;
}

export type CheckConclusion = 'success' | 'neutral' | 'failure' | 'action_required' | 'cancelled' | 'timed_out';

/** A button of a check run. */
export interface CheckAction {
  /** At most 20 characters. */
  readonly label: string;
  /** At most 40. */
  readonly description: string;
  /** At most 20: what the host tells us when it is pressed. */
  readonly identifier: string;
}

export interface CheckRun {
  readonly name: string;
  readonly commit: string;
  /** The run's id: a check lost between create and record is found by it. */
  readonly externalId: string;
  readonly status: 'in_progress' | 'completed';
  readonly conclusion?: CheckConclusion;
  readonly title: string;
  readonly summary: string;
  readonly text?: string;
  /** At most three; absent: none. */
  readonly actions?: readonly CheckAction[];
}

/** Where people look. Ids are the host's. */
export interface HostSurfaces {
  /** Updates comment `known` when it still exists, else the one that carries `marker`, else creates it. Returns its id. */
  upsertComment(repository: Repository, pullRequest: number, marker: string, body: string, known?: number): Promise<number>;
  /** Updates check run `known`, else the one of that name, commit and external id, else creates it. Returns its id. */
  upsertCheck(repository: Repository, check: CheckRun, known?: number): Promise<number>;
  /** Where people read a check run in their browser. */
  checkUrl(repository: Repository, id: number): string;
  /** Where people read the repository; its pull requests and commits lie below, at `pull/<number>` and `commit/<id>`. */
  repositoryUrl(repository: Repository): string;
}

/** An issue as it is now. Line ends of the body are `\n`, whatever a browser made of them. */
export interface Issue {
  readonly number: number;
  readonly open: boolean;
  readonly title: string;
  readonly body: string;
  /** When anything about it changed last, ISO 8601, to the second by the host's clock. */
  readonly updatedAt: string;
}

/** One state of an issue's body, in the host's own history of it. */
export interface IssueEdit {
  /** ISO 8601, to the second by the host's clock. */
  readonly at: string;
  /** Whose edit made it so; null for an account that is gone. `ours`: it was this App. */
  readonly by: { readonly login: string; readonly type: string; readonly ours: boolean } | null;
  /** The whole body as it was then, line ends `\n`; null where somebody deleted it from the history. */
  readonly body: string | null;
}

/**
 * Issues of a repository.
 *
 * @throws LockkeeperError ISSUES_OFF where the repository has its issues turned off, or the App may not write them; else as {@link CodeHost}.
 */
export interface HostIssues {
  /** Those that this App opened under a label and whose first line is the marker, the lowest number first, closed ones too. */
  find(repository: Repository, label: string, marker: RegExp): Promise<readonly Issue[]>;
  /** Opens one. A create whose answer was lost is looked for by its label and first line, and never repeated. */
  create(repository: Repository, issue: { readonly title: string; readonly body: string; readonly label: string; readonly marker: RegExp }): Promise<Issue>;
  /** Undefined where there is none of that number any more: deleted, or moved to another repository. */
  read(repository: Repository, number: number): Promise<Issue | undefined>;
  /** False where there is none of that number any more. */
  write(repository: Repository, number: number, change: { readonly body?: string; readonly title?: string; readonly open?: boolean }): Promise<boolean>;
  /**
   * What its body was, the newest state first, back to and including the first that is older than `since` (ISO 8601), or everything the host
   * keeps of the last hundred.
   */
  edits(repository: Repository, number: number, since?: string): Promise<readonly IssueEdit[]>;
}
