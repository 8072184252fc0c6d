/** What `lockkeeper.yaml` comes to, defaults filled in: plain data. Ask it through the functions beside this file, not by its keys. */
import type { Params } from '../plan/types.ts';

export interface Policy {
  /** Name of the CloudFormation stack that runs this repository's releases. */
  readonly stack?: string;
  /** At least one; names and paths are unique. */
  readonly plans: readonly PolicyPlan[];
  /** What is said of environments. One that is not here keeps to the defaults. */
  readonly environments: Readonly<Record<string, EnvironmentPolicy>>;
}

/** One plan file of the repository. Its name is part of the key of everything it manages. */
export interface PolicyPlan {
  readonly name: string;
  readonly path: string;
  readonly events: PlanEvents;
}

/** The environments that an event touches. */
export interface PlanEvents {
  readonly pullRequest: readonly string[];
  /** Of the default branch alone. */
  readonly push: readonly string[];
}

export interface EnvironmentPolicy {
  readonly protected: boolean;
  /** Absent: whoever may maintain or administer the repository. */
  readonly approvers?: readonly Approver[];
  /** How long a question stays open, ms. */
  readonly expiresMs: number;
  /** Globs over addresses, as `env://NAME`. Absent: every name under the environment's own prefix. */
  readonly secrets?: readonly string[];
  /** Adapter → blocks, one of which the plan's own must hold. Absent: every block of every adapter. */
  readonly providers?: Readonly<Record<string, readonly Params[]>>;
  /** Hosts, with the port where it is not the scheme's own. */
  readonly httpHosts: readonly string[];
}

export interface Approver {
  /** GitHub login; case has no meaning. */
  readonly github: string;
  /** The AWS principal this person uses through a deployed stack: a user, a session, or a role for all its sessions. */
  readonly aws?: string;
}
