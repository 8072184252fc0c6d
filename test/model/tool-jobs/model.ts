/**
 * Work that outlives a function (P9), step by step: every read and every conditional write is one move, so a worker may stand still between any
 * two of them for as long as it likes. What a clock says of a lease, or of a job's deadline, may be true or false at any time.
 *
 *     control step   grant ─▶ raise the fence of the line ─▶ end the job of another run that is written down there ─▶ mark the lease sealed
 *     line           enter ─▶ read ─▶ record ─▶ start ─▶ look at the mailbox, hand over, look for the answer ─▶ write down what became of it
 *     process        hello ─▶ wait for work ─▶ tool ─▶ result
 */
import type { Model, Move } from './check.ts';
import { begins, type Faults, type Job, type Process, plain, type Rec, type RunState, type State, type Told, type Worker } from './state.ts';

/** One rule of the protocol each, taken away. */
export interface Without {
  /** The record is written before the job is started: without it, after the work was handed over. */
  readonly recordFirst?: true;
  /** It is written under a fence that is not below the highest. */
  readonly fencedRecord?: true;
  /** A redelivery finds the record and goes on with its job. */
  readonly foundRecord?: true;
  /** It stays when the answer is written down. */
  readonly keptRecord?: true;
  /** Whoever seals ends the job of another run. */
  readonly endAtSealing?: true;
  readonly waitForEnd?: true;
  /** Whoever ends a job closes its hello, and its input. */
  readonly closedHello?: true;
  readonly closedInput?: true;
  /** One process says hello. */
  readonly exclusiveHello?: true;
  /** The process at work is the one that said hello, not the one that the runner answered. */
  readonly helloNamesProcess?: true;
  /** Whether a process is gone is asked before its result is looked for. */
  readonly stateBeforeResult?: true;
}

const replaced = <T>(list: readonly T[], at: number, one: T): T[] => list.map((old, index) => (index === at ? one : old));
const isOver = (process: Process | undefined): boolean => process?.at === 'gone';
const mayWork = ({ jobs }: State, { at, job }: Process): boolean => at === 'working' || (at === 'waiting' && jobs[job]?.input === 'work');

/** @param second what run B does under the lease: the same as A, or nothing to this stack. */
export function toolJobs(faults: Faults, without: Without = {}, second: 'applies' | 'seals' = 'applies'): Model<State> {
  return { begins: begins(faults), moves: (state) => [...time(state), ...runner(state), ...functions(state)], plain, broken, isOver: hasEnded };

  /** Leases run out. */
  function time(state: State): Move<State>[] {
    const { lease, left } = state;
    const holder = state.runs[lease.holder];
    // A late job may have renewed what its run gave back: nobody needs it, and it runs out in the end.
    const isLeft = holder !== undefined && hasRunEnded(holder);
    if (!lease.live || (left.lapses === 0 && !isLeft)) return [];
    const lapses = isLeft ? left.lapses : left.lapses - 1;
    return [{ says: 'the lease runs out', to: { ...state, lease: { ...lease, live: false }, left: { ...left, lapses } } }];
  }

  function runner(state: State): Move<State>[] {
    return state.processes.flatMap((process, at) => processMoves(state, process, at).map((move) => ({ ...move, says: `process ${at}: ${move.says}` })));
  }

  function processMoves(state: State, process: Process, at: number): Move<State>[] {
    const job = state.jobs[process.job] as Job;
    const found: Move<State>[] = [];
    const go = (says: string, next: Process['at'], change: Partial<Job> = {}, fault?: true): void => {
      const jobs = replaced(state.jobs, process.job, { ...job, ...change });
      const processes = replaced(state.processes, at, { ...process, at: next });
      found.push({ says, to: { ...state, jobs, processes }, ...(fault ? { fault } : {}) });
    };
    if (process.at === 'gone') return [];
    if (process.at === 'flying') {
      go('its start reaches the runner', 'started');
      go('its start is lost', 'gone', {}, true);
      return found;
    }
    if (process.stopping) go('is stopped', 'gone');
    if (process.at === 'started') {
      if (job.hello === undefined || without.exclusiveHello) go('says hello', 'waiting', { hello: at });
      else go('finds its hello taken, ends', 'gone');
    }
    if (process.at === 'waiting') {
      if (job.input === 'work') go('finds its work, begins', 'working', { began: job.began + 1 });
      else if (job.input === 'closed') go('finds its input closed, ends', 'gone');
      else go('waits no longer', 'waiting', { input: 'closed' });
    }
    if (process.at === 'working') {
      go(job.cancel ? 'ends its tool, as it was asked to' : 'its tool has ended', 'answered', { result: job.cancel ? 'broken off' : 'done' });
    }
    if (process.at === 'answered') go('ends', 'gone');
    if (state.left.crashes > 0 && process.at !== 'answered') {
      go('is gone without a word', 'gone', {}, true);
      const crash = found.pop() as Move<State>;
      found.push({ ...crash, to: { ...crash.to, left: { ...state.left, crashes: state.left.crashes - 1 } } });
    }
    return found;
  }

  function functions(state: State): Move<State>[] {
    return state.runs.flatMap((run, id) => {
      const says = (move: Move<State>): Move<State> => ({ ...move, says: `run ${'AB'[id]}: ${move.says}` });
      return [...deliveries(state, id), ...run.workers.flatMap((worker, at) => workerMoves(state, id, worker, at))].map(says);
    });
  }

  /** What the queues deliver, and settling, which is one step here. */
  function deliveries(state: State, id: number): Move<State>[] {
    const run = state.runs[id] as RunState;
    const begin = (says: string, worker: Partial<Worker>, left = state.left): Move<State> => {
      const fresh: Worker = { at: 'enter', control: false, fence: 0, ...worker };
      return { says, to: { ...state, runs: replaced(state.runs, id, { ...run, workers: [...run.workers, fresh] }), left } };
    };
    const { lease, left } = state;
    if (run.at === 'waiting' && run.workers.length === 0 && (!lease.live || lease.holder === id))
      return [begin('a control step wants the lease', { at: 'grant', control: true })];
    if (run.at === 'line' && run.workers.length === 0) return [begin('its line is delivered', {})];
    if (run.at === 'line' && run.workers.length === 1 && left.doubles > 0)
      return [{ ...begin('its line is delivered beside that', {}, { ...left, doubles: left.doubles - 1 }), fault: true }];
    if (run.at !== 'settling') return [];
    const freed = lease.holder === id ? { ...lease, live: false } : lease;
    return [{ says: 'settles', to: { ...state, lease: freed, runs: replaced(state.runs, id, { ...run, at: lease.holder === id ? 'done' : 'fenced out' }) } }];
  }

  function workerMoves(state: State, id: number, worker: Worker, place: number): Move<State>[] {
    const run = state.runs[id] as RunState;
    const found: Move<State>[] = [];
    const { lease, line, left } = state;
    const who = worker.control ? '' : 'its line ';

    /** The worker goes on at `next`, with what it has read; the world is otherwise so. */
    function go(says: string, next: Partial<Worker>, world: Partial<State> = {}, fault?: true): void {
      const to = { ...state, ...world };
      const now = to.runs[id] as RunState;
      const workers = replaced(now.workers, place, { ...worker, ...next });
      found.push({ says: who + says, to: { ...to, runs: replaced(to.runs, id, { ...now, workers }) }, ...(fault ? { fault } : {}) });
    }
    /** The function ends: handed back, acknowledged, or dead. */
    function end(says: string, world: Partial<State> = {}, at = run.at, fault?: true): void {
      const workers = run.workers.filter((_, index) => index !== place);
      found.push({ says: who + says, to: { ...state, ...world, runs: replaced(state.runs, id, { at, workers }) }, ...(fault ? { fault } : {}) });
    }
    const { job = -1, process = -1 } = worker;
    const jobAt = state.jobs[job];
    const withJob = (change: Partial<Job>): Partial<State> => ({ jobs: replaced(state.jobs, job, { ...(jobAt as Job), ...change }) });
    /** Over the version that was read, under a fence that is not below the highest. */
    const unmoved = !worker.stale && (line.fence <= worker.fence || without.fencedRecord === true);
    /** Whatever anybody else has read of the line is old then. */
    const withRec = (rec: Rec | undefined): Partial<State> => ({
      line: { fence: line.fence, ...(rec ? { rec } : {}) },
      runs: state.runs.map((one) => ({ ...one, workers: one.workers.map((each) => ({ ...each, stale: true as const })) })),
    });
    const ending = worker.control ? 'raise' : 'enter';

    switch (worker.at) {
      case 'grant': {
        if (lease.live && lease.holder !== id) end('finds it held');
        else if (lease.live) go('has it already', { at: 'raise', fence: lease.fence });
        else {
          const fence = lease.fence + 1;
          go('is granted it', { at: 'raise', fence }, { lease: { ...lease, fence, holder: id, live: true } });
        }
        break;
      }
      case 'raise': {
        const raised = line.fence < worker.fence ? { ...line, fence: worker.fence } : line;
        const { rec } = raised;
        const another = rec !== undefined && rec.told === undefined && rec.run !== id && !without.endAtSealing;
        if (raised.fence > worker.fence) go('finds a newer fence', { at: 'mark' });
        else if (another) go('raises the fence, finds a job of the other run', { at: 'end', job: rec.job }, { line: raised });
        else go('raises the fence', { at: 'mark' }, { line: raised });
        break;
      }
      case 'mark': {
        const ours = lease.fence === worker.fence && lease.holder === id;
        const sealed = ours ? { lease: { ...lease, sealed: worker.fence } } : {};
        if (worker.control)
          end(ours ? 'marks it sealed, queues the line' : 'has lost it', sealed, ours ? (id === 1 && second === 'seals' ? 'settling' : 'line') : 'waiting');
        else go(ours ? 'marks it sealed' : 'has lost it', { at: ours ? 'read' : 'enter' }, sealed);
        break;
      }
      case 'enter': {
        if (lease.holder !== id) end('finds the lease taken', {}, 'fenced out');
        else if (lease.live && lease.sealed !== lease.fence) go('finds it unsealed', { at: 'raise', fence: lease.fence });
        // Nobody has taken it: by a clock that is behind it is live still.
        else go('enters the lease', { at: 'read', fence: lease.fence });
        if (lease.holder === id && !lease.live) {
          const fence = lease.fence + 1;
          go('is granted it again', { at: 'raise', fence }, { lease: { ...lease, fence, live: true } });
        }
        break;
      }
      case 'read': {
        const { rec } = line;
        if (rec === undefined || rec.run !== id || (without.foundRecord && rec.told === undefined))
          go('reads: nothing of its own is written down', { at: without.recordFirst ? 'start' : 'record' });
        else if (rec.told !== undefined) go('reads: its answer is written down', { at: 'finish' });
        else {
          go('reads its record', { at: 'look', job: rec.job, ...(rec.process === undefined ? {} : { process: rec.process }) });
          if (left.deadlines > 0)
            go('reads its record, whose deadline has passed', { at: 'end', job: rec.job }, { left: { ...left, deadlines: left.deadlines - 1 } });
        }
        break;
      }
      case 'record': {
        const own = without.recordFirst ? job : state.jobs.length;
        const jobs = without.recordFirst ? state.jobs : [...state.jobs, { run: id, began: 0 }];
        if (unmoved) go('writes its record', { at: without.recordFirst ? 'enter' : 'start', job: own }, { jobs, ...withRec({ job: own, run: id }) });
        else go('may not write its record', { at: 'enter' });
        break;
      }
      case 'start': {
        const own = job < 0 ? state.jobs.length : job;
        const jobs = job < 0 ? [...state.jobs, { run: id, began: 0 }] : state.jobs;
        // Runners know a token for some minutes: a second start may make a second process.
        const processes = (at: Process['at']): Process[] => [...state.processes, { job: own, at }];
        const started = { job: own, process: state.processes.length };
        go('starts the job', { at: without.recordFirst ? 'look' : 'save process', ...started }, { jobs, processes: processes('started') });
        if (left.losses > 0)
          end('starts the job, and hears nothing', { jobs, processes: processes('flying'), left: { ...left, losses: left.losses - 1 } }, run.at, true);
        break;
      }
      case 'save process': {
        if (unmoved) go('notes the process', { at: 'look' }, withRec({ job, run: id, process }));
        else go('may not note the process', { at: 'enter' });
        break;
      }
      case 'look': {
        const hello = jobAt?.hello;
        if (hello === 'closed') go('finds hello closed', { at: 'note', told: 'not begun' });
        else if (hello !== undefined) lookAt(without.helloNamesProcess ? process : hello);
        else if (process < 0) go('finds no hello and no process', { at: 'start' });
        else if (isOver(state.processes[process]))
          go('finds its process gone, and closes hello', { at: 'note', told: 'not begun' }, withJob({ hello: 'closed' }));
        else end('finds no hello yet');
        break;
      }
      case 'give': {
        const free = jobAt?.input === undefined || (without.closedInput && jobAt.input === 'closed');
        const recorded = line.rec?.job === job && line.rec.told === undefined;
        const breaks = free && !recorded ? { breaks: 'P9: a job without its record gets no input' } : {};
        const given = free ? { ...withJob({ input: 'work' }), ...(without.recordFirst ? {} : breaks) } : {};
        if (without.recordFirst) go('hands the work over', { at: 'record' }, given);
        else end('hands the work over', given);
        break;
      }
      case 'state': {
        if (isOver(state.processes[process])) go('finds the process gone', { at: 'note', told: jobAt?.input === 'work' ? 'unknown' : 'not begun' });
        else end('comes back later');
        break;
      }
      case 'end': {
        const [hello, input] = [jobAt?.hello, jobAt?.input];
        if (hello === undefined) go('closes hello', { at: 'note', told: 'not begun' }, without.closedHello ? {} : withJob({ hello: 'closed' }));
        else if (hello === 'closed') go('finds hello closed', { at: 'note', told: 'not begun' });
        else if (input === undefined) go('closes its input', { at: 'note', told: 'not begun' }, without.closedInput ? {} : withJob({ input: 'closed' }));
        else if (input === 'closed') go('finds its input closed', { at: 'note', told: 'not begun' });
        else if (jobAt?.result) go(`takes its result: ${jobAt.result}`, { at: 'note', told: jobAt.result });
        else if (isOver(state.processes[hello])) go('finds no result of a process that is gone', { at: 'note', told: 'unknown' });
        else go('asks for its end', { at: 'stop', process: hello }, withJob({ cancel: true }));
        break;
      }
      case 'stop': {
        const processes = replaced(state.processes, process, { ...(state.processes[process] as Process), stopping: true as const });
        if (without.waitForEnd) go('stops it', { at: 'note', told: 'unknown' }, { processes });
        else go('stops it, comes back', { at: ending }, { processes });
        go('lets it end by itself, comes back', { at: ending });
        break;
      }
      case 'note': {
        const told = worker.told as Told;
        const rec = line.rec as Rec | undefined;
        if (!unmoved || rec === undefined) go('may not write down what became of it', { at: ending });
        else {
          const kept = without.keptRecord && rec.run === id ? undefined : { ...rec, told };
          const breaks = judgeTold(state, rec, told);
          go(
            `writes down what became of it: ${told}`,
            { at: worker.control || rec.run !== id ? 'mark' : 'finish' },
            { ...withRec(kept), ...(breaks ? { breaks } : {}) },
          );
        }
        break;
      }
      case 'finish': {
        end('is final', {}, run.at === 'line' ? 'settling' : run.at);
        break;
      }
    }

    if (left.deaths > 0) end('dies', { left: { ...left, deaths: left.deaths - 1 } }, run.at, true);
    return found;

    /** The process that said hello, or, without that rule, the one that the runner answered. */
    function lookAt(known: number): void {
      const [input, result, over] = [jobAt?.input, jobAt?.result, isOver(state.processes[known])];
      if (input === undefined && over)
        go('finds the process gone before it had its work, and closes its input', { at: 'note', told: 'not begun' }, withJob({ input: 'closed' }));
      else if (input === undefined) go('finds no input', { at: 'give' });
      else if (result) go(`takes its result: ${result}`, { at: 'note', told: result });
      else if (without.stateBeforeResult) go('finds no result', { at: 'state', process: known });
      else if (over) go('finds no result of a process that is gone', { at: 'note', told: input === 'work' ? 'unknown' : 'not begun' });
      else end('comes back later');
    }
  }
}

/** What is written down of a job has to be true, and may leave nothing out that is known. */
function judgeTold(state: State, { job: at }: Rec, told: Told): string | undefined {
  const job = state.jobs[at] as Job;
  const alive = state.processes.some((one) => one.job === at && (mayWork(state, one) || (one.at === 'started' && job.hello === undefined)));
  if (told === 'not begun' && job.began > 0) return 'P9: a result that wrote is recorded, or its line says that nobody knows';
  if (told === 'unknown' && job.result) return 'P9: a result that is there is taken';
  if (alive || state.processes.some((one) => one.job === at && one.at === 'flying' && job.hello === undefined))
    return 'P9: what is told to have ended cannot write any more';
  return undefined;
}

function broken(state: State): string | undefined {
  const { lease, jobs, processes, breaks } = state;
  if (breaks !== undefined) return breaks;
  const working = processes.filter((one) => one.at === 'working');
  if (working.length > 1) return 'P9: never two tools of one stack at work at once';
  const sealed = lease.live && lease.sealed === lease.fence;
  if (sealed && processes.some((one) => mayWork(state, one) && jobs[one.job]?.run !== lease.holder))
    return 'I9: under a sealed lease no job of another run can write';
  for (const run of [0, 1]) {
    const began = jobs.reduce((count, job) => count + (job.run === run ? job.began : 0), 0);
    if (began > 1) return 'P9: a repeated job is the same job';
  }
  return undefined;
}

const hasRunEnded = ({ at, workers }: RunState): boolean => (at === 'done' || at === 'fenced out') && workers.length === 0;

function hasEnded({ runs, processes }: State): boolean {
  return runs.every(hasRunEnded) && processes.every(({ at }) => at === 'gone');
}
