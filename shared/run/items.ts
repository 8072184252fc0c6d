import type { Decision } from '../approvals/decision.ts';
import type { Effect } from '../approvals/effect.ts';
import type { Accepted } from '../approvals/plan-document.ts';
import type { AsOf } from '../dashboard/row.ts';
import type { ShownChange } from '../engine/op.ts';
import type { Problem } from '../errors/error.ts';
import type { Freeze } from '../freeze/freeze.ts';
import type { Params, ProviderBlock, Scalar } from '../plan/types.ts';
import type { SlackPlace } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { Item } from '../ports/table.ts';
import type { IgnoreRule } from '../scans/ignored.ts';
import type { ScanOptions } from '../scans/scan-start.ts';
import type { ScannedLine } from '../scans/scanned-line.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';
import type { Retried, ToolRecord } from '../stacks/tool-record.ts';
import type { SealedObject } from '../stacks/tool-work.ts';
import { isNumber, isRecord, isText, refuseDamaged } from '../table/damaged.ts';
import type { Ticked } from '../ticks/ticked.ts';
import type { DriftItem, LineStatus, ManualTodo, RunKind, RunStatus } from './report.ts';
import type { Waiting } from './tell-machine.ts';

/** Where a run stands. Advanced by compare-and-swap on the run item alone. */
export type Phase = 'preparing' | 'planning' | 'awaiting' | 'guarding' | 'applying' | 'waiting' | 'rolling-back' | 'settling' | 'done';
/** The phases in which lines are worked on. */
export type LinePhase = 'planning' | 'applying' | 'rolling-back';

/** Why a run stops. `failed` holds for its round; the others until the end, and no phase swap clears them (P1). */
export interface Stopping {
  readonly cause: 'failed' | 'stale' | 'superseded' | 'cancelled' | 'died';
  readonly round: number;
  /** The phase in which a step died, and the attempt by which the death was written down: without a later one it is the same death. */
  readonly phase?: Phase;
  readonly attempt?: number;
  readonly problem?: Problem;
}

export interface RunOptions {
  /** Overwrite what was edited outside, and nothing else (R0.10): in every line, or in these. */
  readonly reconcile?: boolean | readonly string[];
  /** The line whose lift this run was made for: what the lift lets it take over, it may, and no other run may. */
  readonly adopt?: string;
  /** The line whose acceptance this run was made for: where nothing was shown before, what the run finds edited is what was accepted. */
  readonly accept?: string;
  /** Lines whose resources are deleted and made anew. */
  readonly recreate?: readonly string[];
  /** Started by the nightly clean-up: it removes what its pull request or branch left, or nothing. */
  readonly cleanUp?: true;
  /** A plan of what merging this pull request's commit would do: read-only, with no secret and with credentials that can only read. */
  readonly afterMerge?: true;
  /** Of a prune: the run whose creations it removes, in the place of orphans. */
  readonly undo?: string;
  /** Of a prune: the one line whose orphans it removes. Absent: those of every line. */
  readonly only?: string;
  /** Of a run that shows first what it would do: whether it is to do it. */
  readonly confirmed?: true;
  /** Of a scan (kind `drift`): what started it, and which lines it looks at. */
  readonly scan?: ScanOptions;
  /** Started by a tick of the dashboard, and bound to what was ticked. */
  readonly ticked?: Ticked;
  /** What to do while another run holds the lease. */
  readonly busy: 'wait' | 'fail';
  /** The deployed stack that the repository names, and that this run was made beside (`--local`). */
  readonly beside?: string;
}

/** The item `RUN#<id>` / `META`. */
export interface Run {
  readonly id: string;
  /** What was asked for. `follow`: whatever the pull request's present state demands, judged under the lease (P6). */
  readonly intent: 'follow' | RunKind;
  /** What it turned out to be; set by prepare. */
  readonly kind?: RunKind;
  readonly repository: Repository;
  /** `object`: the bucket's copy of a plan file that lies in no commit (a person's working tree). */
  readonly plan: { readonly name: string; readonly path: string; readonly object?: string; readonly hash?: string };
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly branch: string;
  readonly pullRequest?: number;
  /** GitHub login of whoever made what started it, where that was a person: they decide nothing about it. */
  readonly triggeredBy?: string;
  /** The run it is a retry of: somebody looks for what becomes of it. */
  readonly retryOf?: string;
  readonly options: RunOptions;
  readonly phase: Phase;
  readonly round: number;
  readonly stopping?: Stopping;
  readonly step?: { readonly attempt: number; readonly until: number };
  /** Where putting the items of a phase goes on: valid for that kind of work, under that fence. */
  readonly cursor?: Cursor;
  /** Until when a run that waits for the lease has a delayed message of its own, epoch ms. */
  readonly waitsUntil?: number;
  readonly outcome?: RunStatus;
  /** How it ends once it has settled, where its lines do not say so: rejected or expired after an earlier round applied something. */
  readonly ending?: RunStatus;
  /** The answers that ended it so. */
  readonly answers?: readonly Decision[];
  readonly problem?: Problem;
  readonly warnings?: readonly Problem[];
  readonly tookOver?: string;
  /** It ended while the host was silent, and its surfaces do not say so yet. */
  readonly untold?: true;
  /** Object that holds its newest report. */
  readonly report?: string;
  /** It writes in a protected environment: planned first, applied only as approved. */
  readonly gated?: true;
  /** The protected environments it writes: who decides is said for each. */
  readonly protects?: readonly string[];
  /** How long its lease stands without renewal, ms, where the policy says so: as it was when it was prepared. */
  readonly leaseTtlMs?: number;
  /** How long its questions stay open, ms: the policy's when it was planned. */
  readonly expiresMs?: number;
  /** Whom the policy named as approvers when it was planned, for people to see. Who may decide is judged by the policy of that moment. */
  readonly approvers?: readonly string[];
  /** Where in Slack its questions are put, as the policy said when it was planned. Absent: nowhere. */
  readonly slack?: SlackPlace;
  /** How many people had to approve by that policy, and whether one's own counted. For people to see, too. */
  readonly required?: number;
  readonly allowSelf?: boolean;
  /** Who has approved question `q` so far, where that is not enough: as it was last judged. */
  readonly approvals?: { readonly q: number; readonly by: readonly string[]; readonly required: number };
  /**
   * What the host said when it was planned, for a guard that cannot ask it: the object, and the SHA-256 of what lies there; `policy`: of the policy
   * in it, as it was read last.
   */
  readonly seen?: { readonly object: string; readonly hash: string; readonly policy?: string };
  /** Since when the host has not answered any look, and when that was last seen, epoch ms. */
  readonly away?: { readonly since: number; readonly last: number };
  /** The freeze that keeps question `q` from being applied, as it was last shown. */
  readonly frozen?: Freeze & { readonly q: number };
  /** The question its present plan is put in, or was; numbered over the run. */
  readonly question?: { readonly q: number; readonly digest: string; readonly expiresAt: number };
  /** What the guard honoured: judged once, under the lease (P7). An empty list of decisions: there was nothing to decide. */
  readonly honoured?: {
    readonly q: number;
    readonly digest: string;
    readonly decisions: readonly Decision[];
    readonly expiresAt: number;
    readonly fence: number;
    /** The round whose guard honoured it: a later one asks whether it has run out. */
    readonly round: number;
    /** An earlier round has let go what was approved: a freeze stops it no more. */
    readonly begun?: true;
    /** The host did not answer: nobody could see that the commit is still what is to be released. */
    readonly head?: 'unverified';
  };
  /**
   * The question whose decision is rechecked, in which round, and under which fence; `holds`: the fresh plan came to the same. While its
   * round is planned the run is on its way back to the guard, and not to a question.
   */
  readonly recheck?: { readonly q: number; readonly round: number; readonly fence: number; readonly holds?: true };
  /** The fence under which its last round that applied anything was let go, while a later one is planned. */
  readonly appliedUnder?: number;
  /** Its row stands on the repository's dashboard, as policy said when it was prepared. */
  readonly board?: true;
  /** The execution of the state machine that drives its questions. */
  readonly execution?: string;
  /** What the Guard and Replan states wait with, until they are answered. */
  readonly guard?: Waiting;
  readonly replan?: Waiting;
  /** The files of commits that its stacks are made of, by commit. */
  readonly sources?: Readonly<Record<string, SourceOf>>;
  /** Of a scan: how far what it saw is known; see {@link AsOf}. */
  readonly asOf?: AsOf;
  /** Of a scan: policy wants nobody told of new drift. */
  readonly silent?: true;
  /** Scans look at its scope: at its end it says what it saw of the lines itself. */
  readonly watched?: true;
  /** Of a plan: the scope whose entries an apply would take over first. */
  readonly predecessor?: string;
  readonly startedAt: string;
  /** When the sweep may start another round by itself (a provider's pause, a failed destroy), epoch ms. */
  readonly resumeAt?: number;
  readonly version: string;
}

export interface Cursor {
  readonly at: number;
  readonly phase: LinePhase;
  /** 0 for work without a lease. */
  readonly fence: number;
}

/** What a worker needs to know of its line, fixed when the run is prepared. */
export interface LineSpec {
  readonly id: string;
  /** Its place in the order of the plan. */
  readonly order: number;
  readonly adapter: string;
  readonly op: string;
  readonly params: Params;
  readonly provider: ProviderBlock;
  /** The provider block resolved to ids; absent when that failed: the worker tries again. */
  readonly account?: Readonly<Record<string, string>>;
  /** The environment its op says it writes. */
  readonly writes?: string;
  readonly needs: readonly string[];
  /** In a gated run: the effects that were approved for it. Its fresh ones must be among them right before its first write. */
  readonly approved?: readonly Effect[];
  /** Of a plan that shows what a merge would do: why the line is not looked at before. */
  readonly deferred?: string;
  /** Paths of attributes whose live values policy lets people see. */
  readonly shows?: readonly string[];
  /** What policy lets differ of it. */
  readonly ignores?: readonly IgnoreRule[];
  /** The first of the lines that would look at the same place for what nobody manages: it looks for all of them. */
  readonly lists?: true;
  /** Lines that wait for this one in the present phase. */
  readonly dependants: readonly string[];
  /** It is no line of the plan, but the redeploy of what these lines write; `group` is the op's word for what is deployed (P8). */
  readonly redeploy?: { readonly group: string; readonly lines: readonly string[] };
  /** The redeploy of what it writes: that one gives its external outputs. */
  readonly redeployedBy?: string;
  /** Redeploys whose outputs it needs. */
  readonly awaits?: readonly string[];
  /** Of a line that is a stack. `saved`: the plan that was approved. */
  readonly stack?: StackSpec & { readonly saved?: KeptObject };
}

/** What the tool of a stack is given, as policy said when the line was prepared. */
export interface StackSpec {
  /** Variables of its environment, in clear. */
  readonly env: Readonly<Record<string, string>>;
  /** Variable → address of the secret that it is set to. */
  readonly secrets: Readonly<Record<string, string>>;
  /** ARNs of the roles of a plan and of an apply. Absent: none. */
  readonly planRole?: string;
  readonly applyRole?: string;
  readonly timeLimitMs: number;
  /** Attributes whose values may be shown: `<type>#<path>`. */
  readonly show: readonly string[];
}

/** An encrypted object of the bucket, with what opens it sealed under the long-lived key. */
export interface KeptObject {
  readonly object: string;
  readonly sealed: string;
  /** SHA-256, hex, of what is inside. */
  readonly sha256: string;
}

/** The files of a commit, or why there are none. */
export type SourceOf = KeptObject | { readonly problem: Problem };

/** What the job of a stack leaves for the jobs after it, and for whoever looks closer. */
export interface StackResult {
  /** Path and workspace: which stack of its repository it is. */
  readonly key: string;
  /** The saved plan, where people are asked about it. */
  readonly saved?: KeptObject;
  /** The tool's own words, masked: with what opens them, for people who may read this item and the bucket. Shown nowhere else. */
  readonly words?: SealedObject;
  /** Which version of the tool it was. */
  readonly version?: string;
}

/** What a job makes of its line. */
export interface LineResult {
  readonly status: LineStatus;
  readonly changes: readonly ShownChange[];
  readonly outputs: Readonly<Record<string, Scalar | null>>;
  readonly problem?: Problem;
  readonly drift?: readonly DriftItem[];
  readonly waitingFor?: string;
  readonly waitingOn?: string;
  readonly notes?: Readonly<Record<string, string>>;
  /** What a person has to do, and the fingerprint of exactly that: a confirmation is bound to it. */
  readonly manual?: ManualTodo & { readonly shown: Fingerprint };
  /** The provider's ids that the job resolved itself, because prepare could not. */
  readonly account?: Readonly<Record<string, string>>;
  /** The outside event its external outputs come from has failed: lines that need them are skipped with this. */
  readonly externalFailed?: Problem;
  /** Fingerprints of the outputs that its resources gave once, when they were made: those of their making in this run, too. */
  readonly once?: Readonly<Record<string, Fingerprint>>;
  /** What a plan of a gated run would do, as people approve it. */
  readonly effects?: readonly Effect[];
  /** The resources it would leave as they are, for the same plan. */
  readonly seen?: readonly Effect[];
  /** What was edited outside and a person has left as it is, by resource. */
  readonly accepted?: readonly Accepted[];
  /** What of its resources policy lets differ: the key of one, or `key#path`. */
  readonly ignored?: readonly string[];
  /** What a plan's line names, to be compared with what the other lines name. */
  readonly names?: readonly NamedResource[];
  /** Of a scan: what it saw of the line's resources. */
  readonly scanned?: ScannedLine;
  /** Its effects were not among the approved ones, or the round was over: nothing was written, and the run is planned again. */
  readonly moved?: true;
  /** What a destroy or a rollback left where it is, each with the reason. */
  readonly kept?: readonly string[];
  /** Of a redeploy that was started: lines whose writes it deploys. */
  readonly redeployed?: readonly string[];
  /** When the provider wants to be asked again, epoch ms. */
  readonly resumeAt?: number;
  /** Of a line that is a stack. */
  readonly stack?: StackResult;
}

/** One resource that a planned line names. */
export interface NamedResource {
  /** Hash of its identity. */
  readonly identity: string;
  readonly label: string;
  /** The line would write it. */
  readonly writes?: true;
  /** It is in the line's ledger. */
  readonly owns?: true;
  /** It is another line's, and this one keeps whatever that makes of it. */
  readonly keeps?: true;
}

/** What a job answers: a result, with the sensitive outputs that other lines need; or after how many seconds it comes back. */
export type JobAnswer =
  | { readonly result: LineResult; readonly secret?: Readonly<Record<string, Scalar>> | undefined }
  | { readonly later: number; readonly pollingSince?: number };

/** The item `RUN#<id>` / `LINE#<line>`. `result` is there exactly when the line is final for its round and phase. */
export interface RunLine {
  readonly run: string;
  readonly spec: LineSpec;
  readonly round: number;
  readonly phase: LinePhase;
  /** Only grows, over phases and rounds. */
  readonly attempt: number;
  readonly until: number;
  readonly result?: LineResult;
  /** The apply's result, kept while the line is rolled back. */
  readonly applied?: LineResult;
  /** Sensitive outputs that its job has seen, sealed under the run's own key, which is deleted when the round is over. */
  readonly sealed?: string;
  /** When a provisioning poll began, epoch ms. */
  readonly pollingSince?: number;
  /** The tool job that plans it in its present round and phase (P9). */
  readonly tool?: ToolRecord;
  /** Planning it was begun anew, because a job of it came to nothing. `tries`: how often, for conditions. */
  readonly again?: Retried;
  readonly tries?: number;
  /** Of a stack in a scan: how it was before its look began. */
  readonly quiet?: Quietness;
}

/** Whether nobody was at work on a line, and what a later look is told from this one by. */
export interface Quietness {
  readonly quiet: boolean;
  readonly mark: string;
}

/** Whether what the run plans at present is a recheck of what was approved. */
export const isRechecking = ({ phase, round, recheck }: Pick<Run, 'phase' | 'round' | 'recheck'>): boolean =>
  (phase === 'preparing' || phase === 'planning') && recheck?.round === round && recheck.holds === undefined;

/** Whether what a run's lines would write is worked out as people approve it: they are asked, or shown boxes that stand for it. */
export const namesEffects = ({ gated, kind }: Pick<Run, 'gated' | 'kind'>): boolean => gated === true || kind === 'drift';

/** The question of a run that has been asked about. */
export const questionOf = (run: Run): NonNullable<Run['question']> => run.question as NonNullable<Run['question']>;

/**
 * A run's item. Format 2 is that of intents which code that knows format 1 alone would take for an apply, format 3 that of a prune which undoes
 * a run, and which older code would take for one of every orphan, or a plan of what a merge would do, for which it would open secrets, and format 4
 * that of a scan, or of what a tick is bound to, which it would take for an apply of everything: it refuses them, and the message comes back until newer code takes it.
 */
export function runOf(item: Item): Run {
  refuseDamaged(
    item,
    `Item ${item.pk} ${item.sk}`,
    4,
    ({ id, phase, version, repository }) => isText(id) && isText(phase) && isText(version) && isRecord(repository),
  );
  return item as unknown as Run;
}

export function runLineOf(item: Item): RunLine {
  refuseDamaged(item, `Item ${item.pk} ${item.sk}`, 1, ({ run, phase, spec, attempt }) => isText(run) && isText(phase) && isRecord(spec) && isNumber(attempt));
  return item as unknown as RunLine;
}
