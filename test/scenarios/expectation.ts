import { z } from 'zod';

/** Parts a text has, one or several; a part that begins with `!` is one it has not. */
const parts = z.union([z.string(), z.array(z.string())]);
const problem = z.union([z.string(), z.strictObject({ code: z.string().optional(), says: parts.optional(), hint: parts.optional() })]);
const status = z.string();

const line = z.strictObject({
  status: status.optional(),
  code: z.string().nullable().optional(),
  /** Parts of its problem's message and hint. */
  says: parts.optional(),
  waitingOn: z.string().nullable().optional(),
  waitingFor: z.string().nullable().optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  notes: z.record(z.string(), z.unknown()).nullable().optional(),
  /** Anything of the changes shown, as JSON. */
  changes: parts.optional(),
  /** Whatever else a line's report holds. */
  report: z.record(z.string(), z.unknown()).optional(),
});

const drift = z.strictObject({
  kind: z.string().optional(),
  line: z.string().nullable().optional(),
  key: z.string().optional(),
  replaced: z.literal(true).nullable().optional(),
  says: parts.optional(),
});

/** What a step is expected to come to. Only what is named is looked at; lists are whole and in order, maps may have more. */
export const expectation = z.strictObject({
  /** How the command exits, and the code it says why with. */
  exit: z.int().optional(),
  code: z.string().nullable().optional(),
  /** Parts of what the terminal shows. */
  says: parts.optional(),
  /** What the webhook answers. */
  http: z.int().optional(),
  /** Of the newest run that the step made or moved: how it ended, else its phase. */
  status: status.optional(),
  kind: z.enum(['plan', 'apply', 'destroy', 'prune', 'recover', 'drift']).optional(),
  environment: z.string().optional(),
  scope: z.string().optional(),
  round: z.int().optional(),
  problem: problem.nullable().optional(),
  /** The same of every run that the step made or moved, oldest first. */
  runs: z.array(status).optional(),
  lines: z.record(z.string(), z.union([status, line])).optional(),
  /** All of it but the seed's own, sorted by kind and key. */
  drift: z.array(drift).optional(),
  /**
   * What the newest scan handed on: each line as `looked`, with its drift as label → kind, what is pending by label, and so on; the lines that its
   * two boxes cover. Null: it handed on nothing.
   */
  findings: z.record(z.string(), z.unknown()).nullable().optional(),
  /** What the scope's DRIFT items know, by line: how often a look failed, labels that have drifted, how many were told. All of them. */
  found: z.record(z.string(), z.unknown()).optional(),
  /** Notices of new drift that were put on the bus during the step: the labels of each. */
  notices: z.array(z.array(z.string())).optional(),
  warnings: z.array(problem).optional(),
  notUndone: z.array(z.string()).optional(),
  kept: z.array(z.string()).optional(),
  managed: z.int().optional(),
  tookOver: z.literal(true).nullable().optional(),
  stops: z.array(z.strictObject({ cause: z.string().optional(), step: z.string().optional(), differs: z.boolean().nullable().optional() })).optional(),
  /** How many questions the run has asked so far. */
  questions: z.int().optional(),
  /**
   * Every `plan.stale` of the run's log to the byte, oldest first, the fields that its readers count on; a digest by the question that had
   * it: `#1` is the scenario's first.
   */
  stale: z.array(z.string()).optional(),
  /** Anything of the report, as JSON has it. */
  report: z.record(z.string(), z.unknown()).optional(),
  /** Requests to providers that were meant to change something: how many, or each as `METHOD /glob`, in order. */
  writes: z.union([z.int(), z.array(z.string())]).optional(),
  /** Adapters whose provider was asked anything, sorted. */
  asked: z.array(z.string()).optional(),
  /** How many requests of any kind went to providers. */
  requests: z.int().optional(),
  /** Names of the Neon branches beside the root, sorted. */
  neon: z.array(z.string()).optional(),
  /** Vercel's variables as `NAME@target[/branch]` → value, beside the seed's. */
  vercel: z.record(z.string(), z.string().nullable()).optional(),
  /** Clerk's redirect URLs beside the seed's, sorted. */
  clerk: z.array(z.string()).optional(),
  /** Objects of other APIs by their path, host first; the last step is the `name` where the fake made up an id. All of them. */
  rest: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The scope's ledger: line → `<created by> <label>` of each entry, in order of creation. */
  ledger: z.record(z.string(), z.array(z.string())).optional(),
  /** Parts of the comment on the pull request. */
  comment: parts.optional(),
  /** Of Slack: parts of the newest card, with its buttons; how many cards there are; parts of what stands below them; and of what one person alone was last told. */
  card: parts.optional(),
  cards: z.int().optional(),
  below: parts.optional(),
  told: parts.optional(),
  /**
   * Of the dashboard: the state of each row by environment; parts of the body; how many boxes stand ticked; every tick as `box state`, oldest
   * first; parts of what was written below it.
   */
  rows: z.record(z.string(), z.string()).optional(),
  board: parts.optional(),
  ticked: z.int().optional(),
  ticks: z.array(z.string()).optional(),
  toldOnBoard: parts.optional(),
  check: z.union([status, z.strictObject({ conclusion: z.string().optional(), title: parts.optional(), says: parts.optional() })]).optional(),
  /** Codes that stand anywhere in the command's answer, the run, its lines, its report, or the logs of the step. */
  codes: z.array(z.string()).optional(),
  /** Parts of the run's own log, as JSON. */
  runLog: parts.optional(),
  /** Parts of what the functions logged during the step. */
  log: parts.optional(),
});
export type Expectation = z.output<typeof expectation>;
