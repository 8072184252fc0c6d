/**
 * Where tools run, in memory: each process says hello, waits for its work, runs what the test gives it as the tool, and answers. A process takes
 * one step whenever its state is asked for, or when the test says so; between two steps anything may happen.
 */
import type { Clock } from '../../shared/ports/clock.ts';
import type { Objects } from '../../shared/ports/objects.ts';
import type { ToolJobState, ToolPurpose, ToolRunner } from '../../shared/ports/tool-runner.ts';
import { type JobMailbox, openJobMailbox } from '../../shared/stacks/job-mailbox.ts';
import type { ToolFailure, ToolOutcome, ToolWork } from '../../shared/stacks/tool-work.ts';

/** One run of the tool. `dies`: the process is gone without a word; `works`: asked again at its next step. */
export type FakeTool = (work: ToolWork, at: { readonly job: string; readonly token: string; readonly step: number }) => ToolEnd | Promise<ToolEnd>;
type ToolEnd = ToolOutcome | 'dies' | 'works';

export interface ToolProcess {
  readonly job: string;
  readonly token: string;
  readonly purpose: ToolPurpose;
  readonly state: ToolJobState;
  readonly at: 'started' | 'waiting' | 'working' | 'ended';
}

export interface MemoryToolRunner {
  readonly tools: ToolRunner;
  /** What stands in the place of the tool; by default it has applied or planned without any change. */
  tool: FakeTool;
  /** Tools that have begun, in order. */
  readonly began: { readonly job: string; readonly token: string; readonly work: ToolWork }[];
  processes(): readonly ToolProcess[];
  /** Every process takes a step. */
  step(): Promise<void>;
  /** Asking for a state lets no process go on: the test steps by itself. */
  holds: boolean;
  /** A second start of a token makes a second process, as CodeBuild does after five minutes. */
  forgets: boolean;
  /** Processes are not ended when their time is up: nothing but a stop ends them. */
  timeless: boolean;
  /** No tool hears that it is to end: only a stop ends it. */
  deaf: boolean;
  /** Stopping takes effect at the second step after it. */
  lingers: boolean;
  /** What brings it back as it is now, as often as it is called. */
  keep(): () => void;
}

interface Living {
  readonly job: string;
  readonly token: string;
  readonly purpose: ToolPurpose;
  readonly since: number;
  readonly timeoutMs: number;
  state: ToolJobState;
  at: ToolProcess['at'];
  box?: JobMailbox;
  work?: ToolWork;
  steps: number;
  stopsIn?: number;
}

/** How long a process waits for its work, ms. */
const longestWait = 300_000;

export const stopped = (work: ToolWork): ToolFailure & { format: 1; words: string } => ({
  format: 1,
  words: '',
  did: 'failed',
  cause: 'stopped',
  message: 'The tool was asked to end.',
  diagnostics: [],
  ...(work.do === 'plan' ? {} : { done: [], notDone: [] }),
});

export const nothingToDo: FakeTool = (work) =>
  work.do === 'plan'
    ? { format: 1, words: '', did: 'planned', plan: { changes: [], drift: [], outputs: {}, version: '1.11.4' } }
    : { format: 1, words: '', did: 'applied', changes: [], differs: [], outputs: {}, resources: [] };

export function memoryToolRunner(objects: Objects, clock: Pick<Clock, 'now'>): MemoryToolRunner {
  let living: Living[] = [];
  let count = 0;
  let random = 0;
  const began: MemoryToolRunner['began'] = [];

  const end = (process: Living, state: ToolJobState): void => {
    process.state = state;
    process.at = 'ended';
  };

  async function sayHello(process: Living): Promise<void> {
    const box = await openJobMailbox(
      { objects, job: process.job, random: (length) => Buffer.from(String(++random).padStart(length, '0')) },
      { purpose: process.purpose, token: process.token },
    );
    if (!box) return end(process, 'succeeded');
    process.box = box;
    process.at = 'waiting';
    process.state = 'running';
  }

  async function lookForWork(process: Living, box: JobMailbox): Promise<void> {
    const found = clock.now() - process.since > longestWait ? await box.giveUp() : await box.input();
    if (found === 'closed') return end(process, 'succeeded');
    if (found === undefined) return;
    process.work = found;
    process.at = 'working';
    began.push({ job: process.job, token: process.token, work: found });
  }

  async function work(process: Living, box: JobMailbox, given: ToolWork): Promise<void> {
    const outcome =
      !runner.deaf && (await box.isCancelled()) ? stopped(given) : await runner.tool(given, { job: process.job, token: process.token, step: process.steps++ });
    if (outcome === 'works') return;
    if (outcome === 'dies') return end(process, 'failed');
    await box.answer(outcome);
    end(process, 'succeeded');
  }

  async function stepOf(process: Living): Promise<void> {
    if (process.at === 'ended') return;
    if (process.stopsIn !== undefined && process.stopsIn-- <= 0) return end(process, 'stopped');
    if (!runner.timeless && clock.now() - process.since > process.timeoutMs) return end(process, 'timed-out');
    if (process.at === 'started') return sayHello(process);
    if (process.at === 'waiting') return lookForWork(process, process.box as JobMailbox);
    return work(process, process.box as JobMailbox, process.work as ToolWork);
  }

  const runner: MemoryToolRunner = {
    tools: {
      async start({ token, purpose, timeoutMs }) {
        const known = living.find((one) => one.token === token);
        if (known && !runner.forgets) return known.job;
        const job = `job-${++count}`;
        living.push({ job, token, purpose, timeoutMs, since: clock.now(), state: 'queued', at: 'started', steps: 0 });
        return job;
      },
      async state(job) {
        const process = living.find((one) => one.job === job);
        if (process && !runner.holds) await stepOf(process);
        return process?.state ?? 'unknown';
      },
      async stop(job) {
        const process = living.find((one) => one.job === job);
        if (!process || process.at === 'ended') return;
        if (runner.lingers) process.stopsIn ??= 1;
        else end(process, 'stopped');
      },
    },
    tool: nothingToDo,
    began,
    holds: false,
    forgets: false,
    lingers: false,
    timeless: false,
    deaf: false,
    processes: () => living.map(({ job, token, purpose, state, at }) => ({ job, token, purpose, state, at })),
    async step() {
      for (const process of [...living]) await stepOf(process);
    },
    keep() {
      const kept = { living: living.map((one) => ({ ...one })), began: began.length, count, random };
      return () => {
        living = kept.living.map((one) => ({ ...one }));
        began.length = kept.began;
        ({ count, random } = kept);
      };
    },
  };
  return runner;
}
