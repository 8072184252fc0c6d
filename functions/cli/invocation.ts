import type { Said } from '../../events/said.ts';
import type { Engine, Read } from '../../shared/drift/record.ts';

/** The commands, each with one sentence for the help. */
export const commands = {
  init: 'Write a plan file for what the repository shows; or add lines that keep what is there and no plan manages.',
  validate: 'Check the plan file: every mistake at once. Needs no credential, no state and no network.',
  plan: 'Show what apply would do. Writes nothing to a provider.',
  apply: 'Bring the plan about, line by line; what a failed run created is undone.',
  approve: 'Approve a plan by its digest: exactly what was shown is applied, and nothing else.',
  reject: 'Reject a plan by its digest: its run ends, and nothing of it is applied.',
  withdraw: 'Take back your own answer to a plan, as long as nothing has come of it; the question stays open.',
  cancel: 'Stop a run before its next write; what it has applied stays.',
  undo: 'Remove what one run created, and nothing else. Needs no plan file.',
  retry: 'Run an ended run again: the same commit, plan, environment and scope.',
  adopt: 'Let a line take over what it finds and change it; what was there is kept sealed. Then apply.',
  accept: 'Leave a line as it was edited outside, until a date and for a reason. Then apply.',
  reconcile: 'Apply, and put the plan back where one line was edited outside.',
  absorb: 'Write what was edited outside into the plan file: here, or on a branch for a pull request where a stack runs commits.',
  recreate: 'Apply, and delete and make anew what one line made: for a value that is given once alone.',
  confirm: 'Say that a manual step, or its undoing, has been done as it was shown; the run that waits for it goes on.',
  destroy: 'Remove everything the scope manages; what was only adopted stays. Needs no plan file.',
  prune: 'Show what no line wants any more; with a line or --all, remove it. Needs no plan file.',
  recover: 'Show what the newest good receipt would bring back of a damaged ledger; with --yes, do it.',
  freeze: 'Keep everything new from being applied in an environment, until a moment and for a reason. Plans and questions go on.',
  unfreeze: 'Take the freeze of an environment back.',
  show: 'Show what the scope manages, who is at work in it, and which runs are open; or, with a digest, the plan that has it.',
  diff: 'Show what the second of two plans would do otherwise.',
  receipt: 'Show the latest receipt of the scope, or that of a run, and verify the chain of receipts.',
  runs: 'List what waits for an answer, and the latest runs of this repository.',
  log: 'Show the log of a run.',
  words: 'Show what the infrastructure tool of a line said in a run: its own words, which stand nowhere else.',
  drift: 'Read what is live, or recorded, and print one record per resource. Changes nothing.',
  doctor: 'Check a deployed stack from the outside, and say what is missing and what to do. Needs --stack.',
} as const;

export type CommandName = keyof typeof commands;

/** The commands that start a run. */
export type RunCommand = 'plan' | 'apply' | 'destroy' | 'prune' | 'recover';
/** The commands that say something about one line, and apply. */
export type LineCommand = Said['verb'];
/** The commands that answer a question. */
export type VerdictCommand = 'approve' | 'reject';

/** The commands that say something of an environment. */
export type FreezeCommand = 'freeze' | 'unfreeze';

/** What was typed, parsed: absent flags are absent, and nothing is looked up yet. */
export interface Invocation {
  readonly command: CommandName;
  /** The run `receipt`, `log`, `words`, `retry`, `cancel` and `undo` are asked about: an id, or its beginning. */
  readonly run?: string;
  /** The plan `approve`, `reject` and `withdraw` speak of, and `show` and `diff` look at: a digest, or its beginning. */
  readonly digest?: string;
  /** The second plan of `diff`, or the line of `words`. */
  readonly other?: string;
  /** The line `adopt`, `accept`, `reconcile`, `absorb`, `recreate` and `confirm` speak of. */
  readonly line?: string;
  /** Until when `accept` leaves it, or `freeze` holds, as it was typed, and why. */
  readonly until?: string;
  readonly reason?: string;
  /** Resources `init` takes over, by key, label or id; none: all of them. */
  readonly adopt?: readonly string[];
  /** `init` is to show what it would write. */
  readonly dryRun?: boolean;
  /** All orphans of `prune`. */
  readonly all?: boolean;
  /** `recover` is to do what it shows. */
  readonly yes?: boolean;
  /** Path of the plan file, relative to the folder of the caller. */
  readonly plan: string;
  readonly env?: string;
  readonly pr?: number;
  readonly branch?: string;
  readonly sha?: string;
  readonly json: boolean;
  readonly stateDir: string;
  readonly sim: boolean;
  /** Lines worked on at a time. */
  readonly concurrency?: number;
  readonly reconcile: boolean;
  /** Stay until what the run waits for has happened, for so many seconds at most. */
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  /** Lines whose resources are deleted and made anew. */
  readonly recreate?: readonly string[];
  /** Run it on this machine although the repository names a stack. */
  readonly local: boolean;
  /** The deployed stack a command speaks of, by its CloudFormation name. */
  readonly stack?: string;
  /** What `drift` reads: the plan by its name, how, and one address of it alone. */
  readonly member?: string;
  readonly read?: Read;
  readonly resource?: string;
  /** Asked of `drift`, and of other engines alone. */
  readonly components?: boolean;
  /** What `drift ingest` reads: a file or `-`, and another one that belongs to it; of which engine; and what of it may be shown. */
  readonly ingest?: string;
  readonly beside?: string;
  readonly engine?: Engine;
  readonly show?: readonly string[];
  /** How `drift` prints: as lines, as a list for people, to a file; and whether drift makes its exit code 1. */
  readonly stream?: boolean;
  readonly text?: boolean;
  readonly output?: string;
  readonly failOnDrift?: boolean;
}

/** What a command says about its line. */
export const saidOf = ({ line = '', until, reason }: Invocation, verb: LineCommand): Said => ({
  verb,
  line,
  ...(until === undefined ? {} : { until }),
  ...(reason === undefined ? {} : { reason }),
});
