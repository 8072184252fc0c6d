/** What `lockkeeper.yaml` comes to, defaults filled in: plain data. Ask it through the functions beside this file, not by its keys. */
import type { Params } from '../plan/types.ts';

export interface Policy {
  /** Name of the CloudFormation stack that runs this repository's releases. */
  readonly stack?: string;
  /** At least one; names and paths are unique. */
  readonly plans: readonly PolicyPlan[];
  /** Whether a check is put where there is no plan file, too. */
  readonly checks?: 'always';
  readonly dashboard: DashboardPolicy;
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
  /** The people who may decide. This and `teams` absent: whoever may maintain or administer the repository. */
  readonly approvers?: readonly Approver[];
  /** The teams whose active members may decide, as `organization/slug`. With teams alone `approvers` is there and empty. */
  readonly teams?: readonly string[];
  /** How many people must approve. */
  readonly required: number;
  /** Whether the author of the commit and whoever triggered the run may approve it. */
  readonly allowSelf: boolean;
  /** What the file says; whether it is done tells `recheckIn`. */
  readonly recheck?: boolean;
  /** Its runs are CI's, which repeats one at no cost. */
  readonly ciOnly: boolean;
  /** How long a question stays open, ms. */
  readonly expiresMs: number;
  /** Globs over addresses, as `env://NAME`. Absent: every name under the environment's own prefix. */
  readonly secrets?: readonly string[];
  /** Globs over the variables of provider credentials. Absent: every adapter's own. */
  readonly credentials?: readonly string[];
  /** Variable of a provider credential → name of the secret, under this environment, that can only read. */
  readonly readCredentials: Readonly<Record<string, string>>;
  /** Adapter → blocks, one of which the plan's own must hold. Absent: every block of every adapter. */
  readonly providers?: Readonly<Record<string, readonly Params[]>>;
  /** Hosts, with the port where it is not the scheme's own. */
  readonly httpHosts: readonly string[];
  /** Absent: questions of this environment are not put in Slack. */
  readonly slack?: SlackPlace;
  /** How long a lease stands without renewal, ms. Absent: as the stack was deployed. */
  readonly leaseTtlMs?: number;
  readonly drift: DriftPolicy;
  /** Whether a pull request's plan of this environment may reach hosts, verify steps and run tools. */
  readonly planOnPullRequest: boolean;
  /** Absent: no line may run an infrastructure tool. */
  readonly stacks?: StacksPolicy;
}

/** What infrastructure tools are given in an environment. */
export interface StacksPolicy {
  /** ARNs. Absent: without rights in AWS. */
  readonly planRole?: string;
  readonly applyRole?: string;
  /** Variables of the tool's environment, in clear. */
  readonly env: Readonly<Record<string, string>>;
  /** Variable → address of the secret that it is set to. */
  readonly secrets: Readonly<Record<string, string>>;
  /** How long one run of a tool may take, ms. */
  readonly timeLimitMs: number;
}

export interface Approver {
  /** GitHub login; case has no meaning. */
  readonly github: string;
  /** The AWS principal this person uses through a deployed stack: a user, a session, or a role for all its sessions. */
  readonly aws?: string;
  /** The Slack member this person decides as. */
  readonly slack?: string;
}

export interface SlackPlace {
  /** A channel's id. */
  readonly channel: string;
  /** A user group's id. */
  readonly mention?: string;
}

/** Scheduled scans of an environment. */
export interface DriftPolicy {
  readonly enabled: boolean;
  /** How often, ms. */
  readonly scheduleMs: number;
  /** Only these lines, with those they need. Absent: every line. */
  readonly lines?: readonly string[];
  /** Whether new drift is told. */
  readonly notify: boolean;
  readonly ignore: readonly { readonly line?: string; readonly resource?: string; readonly path?: string; readonly reason: string }[];
  /** Attributes whose live values may be shown: `<adapter>.<op>#<path>` of lines, `<type>#<path>` of other tools' resources. Absent: none. */
  readonly show?: readonly string[];
}

/** The dashboard issue; whether there is one tells `hasDashboard`. */
export interface DashboardPolicy {
  readonly enabled?: boolean;
  readonly label: string;
  readonly title: string;
  /** The address below which the header's pictures lie, without a slash at its end. Absent: words. */
  readonly pictures?: string;
}
