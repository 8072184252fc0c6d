/** GitHub as the fake keeps it. Moments are milliseconds since the epoch. */
export interface GitHubState {
  readonly app: { readonly id: number; readonly slug: string; readonly installationId: number };
  /** Where the app's webhook goes; nowhere where absent. */
  hook?: { readonly url: string };
  readonly repositories: Repository[];
  /** Teams of the organizations that own them. None are there where this is absent. */
  teams?: Team[];
  /** Attempts to tell the app of an event, oldest first; and those of them that the app asked for once more. */
  deliveries?: Delivery[];
  askedAgain?: number[];
  /** Installation tokens that were handed out, by when they stop working. */
  readonly tokens: Record<string, number>;
  readonly settings: {
    /** Most items in one page, whatever the request asks for. */
    pageSize: number;
  };
}

export interface Team {
  readonly organization: string;
  readonly slug: string;
  /** Slug of the team it is part of. */
  readonly parent?: string;
  /** How each account belongs to it, by login in small letters. */
  members: Readonly<Record<string, 'active' | 'pending'>>;
}

export interface Delivery {
  readonly id: number;
  /** `X-GitHub-Delivery`, the same for every attempt. */
  readonly guid: string;
  readonly at: number;
  readonly redelivery: boolean;
  /** 0: no answer came. */
  readonly status: number;
  readonly event: string;
  readonly action: string | null;
}

export interface Repository {
  readonly id: number;
  owner: string;
  name: string;
  readonly private: boolean;
  defaultBranch: string;
  /** `owner/name` it went by before: GitHub leads from there to its number. */
  formerNames?: readonly string[];
  readonly createdAt: number;
  /** Whether the app is installed there. */
  installed: boolean;
  /** Commit of each branch. */
  readonly branches: Record<string, string>;
  readonly commits: Record<string, Commit>;
  /** Role of each account that has one there. Nobody has one where this is absent. */
  people?: Readonly<Record<string, Role>>;
  readonly pulls: PullRequest[];
  readonly comments: Comment[];
  /** None are there where this is absent. */
  issues?: Issue[];
  /** Its issues are turned off. */
  issuesOff?: true;
  readonly checks: CheckRun[];
}

/** GitHub's own roles, or the name of one that an organization made on top of `write`. */
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | (string & {});

export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly at: number;
  /** Account it belongs to: `kim` where absent, none where null. */
  readonly author?: string | null;
  readonly committer?: string | null;
  readonly parents: string[];
  /** Every file of the tree: path → text. */
  readonly files: Record<string, string>;
}

export interface PullRequest {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly base: string;
  readonly branch: string;
  head: string;
  open: boolean;
  merged: boolean;
  /** The commit it was merged as, and what its base was before. */
  mergedAs?: { readonly commit: string; readonly base: string };
  /** The repository the branch is in, when it is another one; null: it was deleted. */
  fork: Fork | null | undefined;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | undefined;
}

export interface Fork {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

export interface Comment {
  readonly id: number;
  /** The issue or pull request it stands under. */
  readonly issue: number;
  readonly author: string;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string;
  readonly labels: string[];
  readonly author: string;
  open: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** Deleted, or moved to another repository. */
  gone?: true;
  /** What its body was, the oldest first; none while nobody has edited it. */
  readonly edits: { readonly at: number; readonly editor: string; readonly body: string }[];
}

export interface CheckRun {
  readonly id: number;
  readonly sha: string;
  name: string;
  externalId: string;
  detailsUrl: string | null;
  status: string;
  conclusion: string | null;
  startedAt: string | null;
  completedAt: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  /** Its buttons, as they are now. */
  actions?: readonly CheckAction[];
}

export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}
