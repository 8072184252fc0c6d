/** What the model holds: one scope, one stack, two runs that both apply it. */

/** What a record says became of its job. `unknown`: it had its work, and nobody knows. */
export type Told = 'done' | 'broken off' | 'not begun' | 'unknown';

export interface Job {
  /** The run that chose the token (nobody in the model looks at it; the invariants do). */
  readonly run: number;
  /** The number of the process that said it first. */
  readonly hello?: number | 'closed';
  readonly input?: 'work' | 'closed';
  readonly cancel?: true;
  readonly result?: 'done' | 'broken off';
  /** A tool has begun under this token, so often. */
  readonly began: number;
}

export interface Process {
  readonly job: number;
  /** `flying`: the start is on its way to the runner. `answered`: its tool has ended, and its result is there. */
  readonly at: 'flying' | 'started' | 'waiting' | 'working' | 'answered' | 'gone';
  readonly stopping?: true;
}

/** The record in the ledger line. */
export interface Rec {
  readonly job: number;
  readonly run: number;
  /** As the runner answered the start. */
  readonly process?: number;
  readonly told?: Told;
}

/** One function at work: where in its code it is, and what it has read so far. */
export interface Worker {
  readonly at: string;
  /** Whether it is the control step that took the lease; else a delivery of the line's message. */
  readonly control: boolean;
  readonly fence: number;
  /** Somebody has written the ledger line since it was read: what is written over it is refused. */
  readonly stale?: true;
  readonly job?: number;
  readonly process?: number;
  readonly told?: Told;
}

export interface RunState {
  /** `line`: its line's message is in the queue. */
  readonly at: 'waiting' | 'line' | 'settling' | 'done' | 'fenced out';
  readonly workers: readonly Worker[];
}

export interface State {
  readonly lease: { readonly fence: number; readonly holder: number; readonly live: boolean; readonly sealed: number };
  readonly line: { readonly fence: number; readonly rec?: Rec };
  readonly jobs: readonly Job[];
  readonly processes: readonly Process[];
  readonly runs: readonly RunState[];
  /** How often each thing may still go wrong. */
  readonly left: Faults;
  /** Set by the move that broke it. */
  readonly breaks?: string;
}

export interface Faults {
  /** Functions that die. */
  readonly deaths: number;
  /** Leases that run out. */
  readonly lapses: number;
  /** A second delivery of a line beside the first: its claim ran out, or the message came twice. */
  readonly doubles: number;
  /** Starts whose answer is lost. */
  readonly losses: number;
  /** Processes that are gone without a word. */
  readonly crashes: number;
  /** Jobs whose deadline passes. */
  readonly deadlines: number;
}

export const begins = (left: Faults): State => ({
  lease: { fence: 0, holder: -1, live: false, sealed: 0 },
  line: { fence: 0 },
  jobs: [],
  processes: [],
  runs: [
    { at: 'waiting', workers: [] },
    { at: 'waiting', workers: [] },
  ],
  left,
});

/** Fences are told by how far they lie behind the lease's, and of a worker only what it still goes by. */
export function plain({ lease, line, runs, processes, ...rest }: State): State {
  const { fence } = lease;
  return {
    ...rest,
    lease: { ...lease, fence: 0, sealed: lease.sealed === fence ? 0 : -1 },
    line: { ...line, fence: line.fence - fence },
    runs: runs.map(({ at, workers }) => ({
      at,
      workers: workers.map((worker) => ({ ...plainWorker(worker), fence: worker.at === 'enter' || worker.at === 'grant' ? 0 : worker.fence - fence })),
    })),
    processes: processes.map(({ stopping, ...process }) => (stopping && process.at !== 'gone' ? { ...process, stopping } : process)),
  };
}

const readsAnew: ReadonlySet<string> = new Set(['grant', 'raise', 'mark', 'enter', 'read', 'finish']);

function plainWorker({ at, control, fence, stale, job, process, told }: Worker): Worker {
  if (readsAnew.has(at)) return { at, control, fence };
  const known = { ...(job === undefined ? {} : { job }), ...(stale ? { stale } : {}), ...(told ? { told } : {}) };
  const ended = at === 'note';
  return { at, control, fence, ...known, ...(process === undefined || ended ? {} : { process }) };
}
