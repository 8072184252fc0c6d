import type { DriftFields } from '../drift/record.ts';
import type { Scalar } from '../plan/types.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';

/** The programs that a stack is made with. */
export type Tool = 'terraform' | 'tofu' | 'pulumi';

/** Where a stack lies, as its line names it: what its identity and its ledger entry are made of. Never a secret. */
export interface StackRoot {
  /** Folder of the root module or project, from the root of the repository; `.` is the repository itself. */
  readonly path: string;
  /** Terraform's workspace, or Pulumi's stack. Absent: `default` of Terraform. */
  readonly stack?: string;
  /** Files with values of variables, from `path`. */
  readonly varFiles: readonly string[];
}

/** An encrypted object of the bucket, and the key (AES-256, base64) that opens it: the key goes where the reader is known, never beside the object. */
export interface SealedObject {
  readonly object: string;
  readonly key: string;
  /** SHA-256, hex, of what is inside. */
  readonly sha256: string;
}

/**
 * All that a tool job is told, sealed to the one process that has asked for it. Nothing but `environment` (with a `PATH`, `HOME` and `TMPDIR`
 * of the job's own) is in the tool's environment.
 *
 * `plan`: what an apply would do, with the plan saved. `apply`: exactly the saved plan. `plan-and-apply`: where nobody is asked, both in one job.
 * `destroys`: of the whole stack.
 */
export interface ToolWork {
  readonly format: 1;
  readonly do: 'plan' | 'apply' | 'plan-and-apply';
  readonly destroys?: true;
  readonly tool: Tool;
  /** Exact, as `1.11.4`; absent: whatever is there, at or above the least that this version of Lockkeeper works with. */
  readonly version?: string;
  readonly root: StackRoot;
  /** The commit's files, as a gzipped tar. */
  readonly source: SealedObject;
  /** Values of the tool's variables (Terraform), or of its configuration (Pulumi). */
  readonly variables: Readonly<Record<string, Scalar>>;
  /** Which of those are secret. */
  readonly secretVariables: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Texts that must not come out in anything, whatever prints them. */
  readonly mask: readonly string[];
  /** Take the tool's own lock. A scan takes none. */
  readonly lock: boolean;
  /** Whether drift is looked for beside the plan (Pulumi: a refresh of its own; Terraform's plan tells it by itself). */
  readonly drift: boolean;
  /** Drift is to be put back: where the job's own check finds some, Pulumi plans and updates with `--refresh` (R2.24). Terraform does so anyway. */
  readonly refresh?: true;
  /** Attributes whose values may be shown, as policy's `show` lists them: `<type>#<path>`. */
  readonly show: readonly string[];
  /** Key of this stack's fingerprints, derived from the stack's own: id and base64. */
  readonly fingerprintKey: { readonly id: string; readonly key: string };
  /**
   * What was approved. Of an `apply`: exactly that saved plan, made of that state. Of a `plan-and-apply`, without a saved plan: the fresh plan is
   * applied where every change of it is among these, else nothing is (`not-approved`).
   */
  readonly approved?: { readonly plan?: SealedObject; readonly state?: StateMark; readonly changes: readonly StackChange[] };
  /** Of a destroy: nothing goes where a fresh plan would touch anything but these addresses (`not-approved`). */
  readonly only?: readonly string[];
  /** How long the tool may run, ms; the job ends it and tells what it did. */
  readonly timeoutMs: number;
}

/** Which state a plan was made against: compared before an apply is sent, so that the usual stale plan costs none. */
export interface StateMark {
  readonly lineage: string;
  readonly serial: number;
}

/** What the tool would do to, or did with, one resource. `none` with `previousAddress`: moved. */
export type StackAction = 'none' | 'read' | 'create' | 'update' | 'delete' | 'import' | 'forget';

export interface StackChange {
  /** The tool's own address or URN; a deposed object's with its key, as the drift record writes it. */
  readonly address: string;
  readonly type: string;
  /** In the order in which the tool does them: `['delete', 'create']` and `['create', 'delete']` are two replacements. */
  readonly actions: readonly StackAction[];
  readonly previousAddress?: string;
  /** What changes, sorted; those that force a replacement are in both lists. */
  readonly paths: readonly string[];
  readonly replacePaths?: readonly string[];
  /** Keyed fingerprints of the whole resource before and after: what the plan leaves to the provider counts as unknown, not as a value. */
  readonly before?: Fingerprint;
  readonly after?: Fingerprint;
  /** It does nothing but put back what the same look found edited outside, or gone, as it was recorded: where the tool's plan tells that. */
  readonly putsBack?: true;
  /** Values of attributes that policy lists, as people may see them. */
  readonly shown?: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

export interface StackOutput {
  readonly value: Scalar | null;
  readonly sensitive: boolean;
}

/** Of a tool's message only this is shown; its text stays in an encrypted object. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** What kind of failure, in our words, from a closed list where we know it; else `failed`. */
  readonly kind: string;
  readonly address?: string;
  readonly path?: string;
}

/** Why a tool job did not do what it was asked for. */
export type ToolFailureCause =
  | 'state-moved' // the approved plan is of a state that is no more: nothing was written
  | 'not-approved' // what a fresh plan would do is not among what was approved, or may go: nothing was written
  | 'plan-altered' // the saved plan is not the approved one
  | 'busy' // somebody else has the tool's lock
  | 'tool-missing'
  | 'tool-too-old'
  | 'wrong-version'
  | 'source-unusable' // no such folder, no root module in it, a link that leads out of it
  | 'no-backend' // the state would go away with the job
  | 'init-failed'
  | 'plan-failed'
  | 'apply-failed'
  | 'not-understood' // an action or a document that this version does not know
  | 'output-too-large'
  | 'timed-out'
  | 'stopped';

export interface ToolFailure {
  readonly did: 'failed';
  readonly cause: ToolFailureCause;
  /** One sentence in our words, without a value. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Of `busy`: who has it, since when (ISO 8601) and under which id, where the tool says so. */
  readonly lock?: { readonly who?: string; readonly since?: string; readonly id?: string; readonly operation?: string };
  /** Of an apply that broke off: what was done and what was not, by address, read back from the state. */
  readonly done?: readonly string[];
  readonly notDone?: readonly string[];
  /** What was planned before it failed. */
  readonly planned?: StackPlan;
  /** Of a plan that failed: what the state records all the same (`fellBackFrom: plan`). */
  readonly drift?: readonly DriftFields[];
  readonly state?: StateMark;
}

export interface StackPlan {
  readonly changes: readonly StackChange[];
  /** Everything that the look for drift came to, as drift records of whatever status: `drifted` and `missing` are what was edited outside. */
  readonly drift: readonly DriftFields[];
  readonly state?: StateMark;
  /** The saved plan, base64, and its SHA-256, hex. Absent where the tool saves none. */
  readonly saved?: { readonly bytes: string; readonly sha256: string };
  /** Outputs that are known before anything is applied. */
  readonly outputs: Readonly<Record<string, StackOutput>>;
  readonly version: string;
}

/** What a tool job puts into its mailbox at its end, sealed to who asked. */
export type ToolOutcome = {
  readonly format: 1 /** The tool's own words, masked, for the encrypted object that a person with access reads. */;
  readonly words: string;
} & (
  | { readonly did: 'planned'; readonly plan: StackPlan }
  | {
      readonly did: 'applied';
      readonly plan?: StackPlan;
      /** What the tool reports to have done. */
      readonly changes: readonly StackChange[];
      /** Addresses where that is not what was approved: told loudly. */
      readonly differs: readonly string[];
      readonly outputs: Readonly<Record<string, StackOutput>>;
      readonly state?: StateMark;
      /** What is managed now, by address. */
      readonly resources: readonly string[];
    }
  | ToolFailure
);
