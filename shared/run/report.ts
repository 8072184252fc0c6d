import type { MovedValues, PlanDifference } from '../approvals/differences.ts';
import type { ShownChange } from '../engine/op.ts';
import type { Side } from '../engine/value.ts';
import type { Problem } from '../errors/error.ts';
import type { Freeze } from '../freeze/freeze.ts';
import type { Ticked } from '../ticks/ticked.ts';

/** What a run is for. */
export type RunKind = 'plan' | 'apply' | 'destroy' | 'prune' | 'recover' | 'drift';

/** Whether a run of that kind takes away what the ledger holds, and makes nothing. */
export const isRemoval = (kind: RunKind | undefined): boolean => kind === 'destroy' || kind === 'prune';

/** How a run ended, from a closed list. `partial` is final for its round: an event starts the next. */
export type RunStatus = 'complete' | 'partial' | 'awaiting' | 'failed' | 'rejected' | 'expired' | 'cancelled' | 'superseded' | 'stale' | 'fenced-out';

/** What a plan says of a line. */
export type PlannedStatus = 'create' | 'update' | 'delete' | 'adopt' | 'unchanged' | 'pending' | 'todo' | 'run' | 'blocked' | 'error';

/** What became of a line in an apply or destroy. */
export type AppliedStatus =
  | 'applied'
  | 'unchanged'
  | 'waiting'
  | 'failed'
  | 'rolled_back'
  | 'rollback_failed'
  | 'skipped'
  | 'blocked'
  | 'destroyed'
  | 'destroy_failed';

export type LineStatus = PlannedStatus | AppliedStatus;

/** How a resource differs from what the ledger remembers; apart from the diff (rule R0.1). */
export type DriftKind = 'unmanaged' | 'changed' | 'missing' | 'orphan';

export interface DriftItem {
  readonly kind: DriftKind;
  readonly adapter: string;
  readonly op: string;
  readonly line?: string;
  readonly resource: { readonly key: string; readonly id?: string; readonly label?: string };
  /** The provider's id is another one: deleted and made again outside. */
  readonly replaced?: true;
  /** A person has it left as it is until then. */
  readonly accepted?: { readonly until: string; readonly by: string; readonly reason: string };
  readonly message: string;
}

/** What a person has to do before a line goes on, in the words of the plan file. Masked. */
export interface ManualTodo {
  readonly title: string;
  readonly action: 'do' | 'undo';
  /** Markdown. */
  readonly instructions: string;
  /** Whether Lockkeeper sees by itself when it is done. */
  readonly observable: boolean;
  /** What to type when it is done. */
  readonly confirm?: string;
}

/**
 * Where one value of a planned line comes from (R1.100). `ref` is the output, the text with outputs in it, or the secret's address; `dependsOn`
 * the lines that give it. A value is shown where it is not sensitive. `kept` with a `ref`: it was given once, and is not known any more.
 */
export type InputState =
  | { readonly state: 'literal'; readonly value: string | number | boolean }
  | {
      readonly state: 'resolved';
      readonly value: string | number | boolean | null;
      readonly ref: string;
      readonly dependsOn: readonly string[];
      readonly sensitive: boolean;
    }
  | { readonly state: 'pending'; readonly value: null; readonly ref: string; readonly dependsOn: readonly string[]; readonly sensitive: boolean }
  | { readonly state: 'secret'; readonly value: null; readonly ref: string; readonly sensitive: true }
  | { readonly state: 'kept'; readonly value: null; readonly ref?: string };

/** One line of a report. `changes` show literals; secrets and sensitive values only by reference. */
export interface LineReport {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  readonly status: LineStatus;
  /** Of a plan alone: where each value comes from, by dotted path. */
  readonly inputs?: Readonly<Record<string, InputState>>;
  readonly changes: readonly ShownChange[];
  /** Public outputs; a sensitive one is null. */
  readonly outputs: Readonly<Record<string, string | number | boolean | null>>;
  readonly problem?: Problem;
  /** The outside event the line waits for. */
  readonly waitingFor?: string;
  /** The line it waits for. */
  readonly waitingOn?: string;
  /** What a person has to do, where the line waits for one (R1.38). */
  readonly manual?: ManualTodo;
  readonly notes?: Readonly<Record<string, string>>;
  /** Labels of what an earlier round of this run wrote of it, where this round had nothing left to do. */
  readonly earlier?: readonly string[];
}

/** `unverified, self`: the person at the terminal of an embedded stack, who may approve their own run. */
export interface ReportedDecision {
  readonly verdict: 'approve' | 'reject';
  readonly person: string;
  readonly standing: 'verified' | 'unverified, self';
  /** The surface it came through. Receipts of earlier versions do not tell. */
  readonly through?: 'machine' | 'aws' | 'github' | 'slack' | 'tick';
  readonly at: string;
}

/** The record of a stop: what was approved no longer holds. Written once a round, before anything else happens (P7). */
export interface PlanStale {
  readonly round: number;
  /** `guard`, or the line that found its effects moved. */
  readonly step: string;
  readonly cause: 'state' | 'drift';
  readonly approved: string;
  /** Digest of the plan made anew; null until that has succeeded, and never left out: null and not knowing the field are two things (R4.21). */
  readonly replanned: string | null;
  /** Whether its change set is another one, by address and actions alone; null as long. It is asked about again in any case. */
  readonly differs: boolean | null;
  /** In which resources; the first twenty. */
  readonly different?: readonly PlanDifference[];
  /** What it would do alike with other values, by name and attribute, never the values; the first twenty. */
  readonly moved?: readonly MovedValues[];
}

/** What a recovery found, and did or would do. */
export interface Recovery {
  /** It shows first; nothing was written. */
  readonly dry: boolean;
  /** The newest receipt that can be read, and where its fence goes on. */
  readonly from: { readonly run: string; readonly round: number; readonly at: string; readonly fence: number };
  /** Newer versions of it that are damaged, newest first. */
  readonly skipped: readonly { readonly version: string; readonly at: string; readonly why: string }[];
  /** `restore`: gone or damaged, made anew. `keep`: there, and left as it is. `lost`: damaged, and in no receipt. */
  readonly lines: readonly {
    readonly line: string;
    readonly does: 'restore' | 'keep' | 'lost';
    /** Labels of what is brought back, or is there. */
    readonly resources: readonly string[];
    /** What is somebody else's by now, and is not taken. */
    readonly foreign: readonly { readonly label: string; readonly owner: string }[];
  }[];
  readonly head: 'restore' | 'keep';
}

export interface ReportedQuestion {
  readonly digest: string;
  /** Which of its run's questions it is. Absent in what earlier versions asked. */
  readonly q?: number;
  readonly expiresAt: string;
  /** Logins, and teams as `team acme/releases`. */
  readonly approvers?: readonly string[];
  /** How many people must approve; one where absent. */
  readonly required?: number;
  /** Whoever wrote the commit or started the run may approve it, too. */
  readonly allowSelf?: true;
  /** Who has approved so far, where that is not enough. */
  readonly approvedBy?: readonly string[];
  /** The question before this one, of which people may still think, and the values in clear that are others now; the first twenty. */
  readonly earlier?: { readonly digest: string; readonly literals: readonly MovedLiteral[] };
}

/** One attribute that two plans in a row would write, and not alike. At least one side is what the plan file says in clear. */
export interface MovedLiteral {
  readonly line: string;
  /** Of the resource. */
  readonly label: string;
  readonly path: string;
  /** What the earlier plan would have made of it, and what this one would. */
  readonly before: Side;
  readonly after: Side;
}

/** What one run did, or would do: the body of its receipt, and all that comment, check run and terminal show. */
export interface RunReport {
  readonly format: 1;
  readonly run: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly round: number;
  readonly repository: { readonly id: string; readonly owner: string; readonly name: string };
  readonly plan: { readonly name: string; readonly path: string; readonly hash?: string };
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly pullRequest?: number;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Why the run as a whole ended as it did, when a line does not say it. */
  readonly problem?: Problem;
  readonly lines: readonly LineReport[];
  readonly drift: readonly DriftItem[];
  readonly warnings: readonly Problem[];
  /** Updates of a failed run that were not undone, named one by one (invariant I2). */
  readonly notUndone: readonly string[];
  /** What a run that ended before its end has created or changed, and what therefore is as it made it. Absent where there is nothing. */
  readonly stays?: readonly string[];
  /** After a destroy or a rollback: what was let go of and left where it is, each with the reason. */
  readonly kept: readonly string[];
  /** The plan that was put to people: its digest, until when it can be answered, and who may where policy names them. */
  readonly question?: ReportedQuestion;
  /** What keeps a plan that waits from being applied, whoever approves it. */
  readonly frozen?: Freeze;
  readonly decisions?: readonly ReportedDecision[];
  /** How often the world moved under an approved plan, oldest first. */
  readonly stops?: readonly PlanStale[];
  /** Of a run that asks again: what it has applied under an earlier approval, and does not ask about any more. */
  readonly done?: readonly string[];
  /** The guard let it go on while the host did not answer, by what was stored when people were asked. */
  readonly head?: 'unverified';
  /** The run whose lease this one took over after it ran out. */
  readonly tookOver?: string;
  /** Of a prune: the run whose creations it removes, in the place of orphans. */
  readonly undoes?: string;
  readonly recovery?: Recovery;
  /** Of a run that a tick of the dashboard started: which box, the digest that was ticked, and whose tick was the first. */
  readonly ticked?: Pick<Ticked, 'box' | 'digest' | 'by' | 'at'>;
  /** How many resources the scope manages after the run. */
  readonly managed: number;
}
