/** Neon as the fake keeps it. Moments are milliseconds since the epoch. */
export interface NeonState {
  readonly projects: NeonProject[];
  readonly settings: NeonSettings;
}

export interface NeonSettings {
  /** Most branches or operations in one answer, whatever the request asks for. */
  pageSize: number;
  /** How long operations run: in this time the project answers 423 to every further change. */
  operationMs: number;
  /** Whether a project nobody has heard of is 404, or is made on the spot: for plans that name their own. */
  unknownProjects: 'refuse' | 'make';
}

export interface NeonProject {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly createdAt: number;
  readonly branches: NeonBranch[];
  readonly operations: NeonOperation[];
}

export interface NeonBranch {
  readonly id: string;
  name: string;
  readonly parentId: string | undefined;
  readonly isDefault: boolean;
  protected: boolean;
  readonly createdAt: number;
  updatedAt: number;
  /** Until this moment the branch is being made. */
  readonly readyAt: number;
  readonly annotation: Record<string, string>;
  readonly endpoints: NeonEndpoint[];
  readonly roles: NeonRole[];
  readonly databases: NeonDatabase[];
}

export interface NeonEndpoint {
  readonly id: string;
  readonly type: 'read_write' | 'read_only';
  readonly createdAt: number;
}

export interface NeonRole {
  readonly name: string;
  password: string;
  readonly createdAt: number;
}

export interface NeonDatabase {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly createdAt: number;
}

export interface NeonOperation {
  readonly id: string;
  readonly branchId: string;
  readonly endpointId: string | undefined;
  readonly action: 'create_branch' | 'start_compute' | 'suspend_compute' | 'delete_timeline';
  readonly createdAt: number;
  readonly doneAt: number;
}
