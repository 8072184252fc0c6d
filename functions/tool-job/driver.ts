import type { StackChange, StackOutput, StackPlan, StateMark, ToolWork } from '../../shared/stacks/tool-work.ts';
import type { RunTool } from './run-tool.ts';
import type { Words } from './words.ts';

/** Where a driver works: all that one job has, made for it and removed after it. */
export interface Workplace {
  readonly work: ToolWork;
  /** The private copy of the source, absolute. */
  readonly source: string;
  /** The stack's own folder in it, absolute. */
  readonly root: string;
  /** A private folder beside the source (0700): variables, saved plans and whatever the tool keeps go there, never into the source. */
  readonly folder: string;
  /** Whether files on the machine outlive the job: a build's own machine is gone after it. */
  readonly machine: 'staying' | 'passing';
  /** Runs a program in `root`, with `work.environment` and nothing of ours; ends it when the job is cancelled or its time is up. */
  readonly run: RunTool;
  /** When the job began, RFC 3339. */
  readonly began: string;
  readonly sleep: (ms: number) => Promise<void>;
  /** Takes what the tool says; knows what in it must not be told. */
  readonly words: Words;
}

/** What an apply did. */
export interface Applied {
  readonly changes: readonly StackChange[];
  readonly differs: readonly string[];
  readonly outputs: Readonly<Record<string, StackOutput>>;
  readonly state?: StateMark;
  readonly resources: readonly string[];
}

/** What a job of `apply` was given, or has just planned. */
export interface PlanToApply {
  /** The saved plan, hashed already; absent where the tool saves none. */
  readonly file?: string;
  readonly changes: readonly StackChange[];
  readonly state?: StateMark;
}

/**
 * One tool, in the order in which a job calls it: `version`, `prepare`, then `plan` or `apply` or both. What fails is thrown as `ToolFailed`
 * with a cause of the closed list.
 */
export interface ToolDriver {
  /**
   * Of the program on the job's `PATH`.
   *
   * @throws ToolFailed `tool-missing`, `tool-too-old`, `wrong-version`
   */
  version(): Promise<string>;
  /**
   * Makes the folder ready: providers, plugins, backend, workspace. Nothing outside is changed.
   *
   * @throws ToolFailed `init-failed`, `source-unusable`
   */
  prepare(): Promise<void>;
  /**
   * What an apply (with `work.destroys`: of nothing) would do, saved where the tool saves plans.
   *
   * @throws ToolFailed `plan-failed`, `busy`, `not-understood`, `output-too-large`, `timed-out`, `stopped`
   */
  plan(version: string): Promise<StackPlan>;
  /**
   * Exactly the given plan. Compares the state first: one that has moved costs no apply.
   *
   * @throws ToolFailed `state-moved`, `busy`, `apply-failed`, `timed-out`, `stopped`: the last three with what was done and what was not.
   */
  apply(plan: PlanToApply): Promise<Applied>;
}

export type OpenDriver = (place: Workplace) => ToolDriver;
