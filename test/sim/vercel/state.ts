/** Vercel as the fake keeps it. Moments are milliseconds since the epoch. */
export interface VercelState {
  readonly projects: VercelProject[];
  readonly settings: VercelSettings;
}

export interface VercelSettings {
  /** Most variables or deployments in one answer, whatever the request asks for. */
  pageSize: number;
  /** Whether a list with `decrypt=true` shows values; when it does not, they are asked for one by one. */
  decryptLists: boolean;
  /** Names that a write of variables refuses, each as an entry under `failed`. */
  refuseKeys: string[];
  /** `auto`: a pushed commit starts a build, and so does the first question about a commit nobody has pushed. */
  builds: 'auto' | 'never';
  /** What becomes of a build by itself, and after how many milliseconds. `wait`: nothing, until an edit finishes it. */
  outcome: 'wait' | 'READY' | 'ERROR' | 'CANCELED';
  outcomeMs: number;
  /** Whether a project nobody has heard of is 404, or is made on the spot: for plans that name their own. */
  unknownProjects: 'refuse' | 'make';
}

export interface VercelProject {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly createdAt: number;
  /** The repository whose pushes are built; undefined: none is linked. */
  readonly link: VercelLink | undefined;
  readonly variables: VercelVariable[];
  readonly deployments: VercelDeployment[];
}

export interface VercelLink {
  readonly org: string;
  readonly repo: string;
  readonly repoId: number;
  readonly productionBranch: string;
}

export type VercelTarget = 'production' | 'preview' | 'development';

export interface VercelVariable {
  readonly id: string;
  readonly key: string;
  value: string;
  type: 'encrypted' | 'sensitive' | 'plain' | 'system';
  target: VercelTarget[];
  /** Undefined: every branch. */
  readonly gitBranch: string | undefined;
  comment: string | undefined;
  readonly createdAt: number;
  updatedAt: number;
}

export type ReadyState = 'QUEUED' | 'INITIALIZING' | 'BUILDING' | 'READY' | 'ERROR' | 'CANCELED' | 'BLOCKED' | 'DELETED';

export interface VercelDeployment {
  readonly id: string;
  readonly url: string;
  readonly sha: string;
  readonly branch: string;
  /** Null: a preview. */
  readonly target: 'production' | null;
  readonly source: 'git' | 'redeploy' | 'api-trigger-git-deploy';
  readonly createdAt: number;
  /** The state it has until `finishAt`; the outcome from then on. */
  state: ReadyState;
  finishAt: number | undefined;
  outcome: ReadyState;
  errorMessage: string | undefined;
}
