import { type ChildProcess, spawn } from 'node:child_process';
import type { Guard } from './guard.ts';
import { openLines } from './lines.ts';

/** A program to be run once, in the stack's folder: an argument vector, never a shell. */
export interface ToolCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside what every call of the job sees. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads from standard input: never in its arguments, which every process can read. Absent: nothing. */
  readonly input?: string;
  /** Takes standard output line by line. Then nothing of it is kept, and it may be of any length; a line of more than 1 MiB is left out. */
  readonly lines?: (line: string) => void;
  /** Reads back what has happened, after the job's time is up or its end was asked for: with a little time of its own. */
  readonly readsBack?: true;
}

/** `stdout` is empty where lines were taken; `stderr` is its first 64 KiB. Both are as the tool wrote them: secret. */
export interface Exited {
  readonly end: 'exited';
  /** The exit status; null when a signal ended it. */
  readonly exit: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** `too-large`: more standard output than is kept, so that it was ended. `timed-out`, `stopped`: it was asked to end, and has. */
export type ToolEnd = Exited | { readonly end: 'missing' | 'too-large' | 'timed-out' | 'stopped' };

export type RunTool = (call: ToolCall) => Promise<ToolEnd>;

export interface RunToolOptions {
  readonly cwd: string;
  /** All that the program sees. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its reason is `timed-out` or `stopped`. */
  readonly ending: AbortSignal;
  /** What a program has, after it was asked to end, until it is killed, ms. Terraform then still writes its state. */
  readonly graceMs: number;
  readonly guard: Pick<Guard, 'watch' | 'rest'>;
  /** For calls that read back, ms. */
  readonly readBackMs?: number;
}

/** Of a document; more than any plan that people can review. */
const mostDocument = 32 * 1024 * 1024;
const mostStderr = 64 * 1024;

/** After so much of its grace a tool is told that there is no time left: it then gives up what it waits for, and lets go of its lock. */
const hurry = 2 / 3;

/**
 * Runs programs one after the other, each in a process group of its own: what it leaves behind ends with it. Asked to end, it gets an
 * interrupt, which tools answer by finishing what they have begun, later a second one, by which they give it up; after the grace, the whole group is killed. Should this process die, the
 * guard kills it in its place.
 */
export function toolRuns({ cwd, environment, ending, graceMs, guard, readBackMs = 60_000 }: RunToolOptions): RunTool {
  return ({ program, args, environment: own = {}, input, lines, readsBack }) =>
    new Promise((resolve) => {
      if (ending.aborted && readsBack === undefined) return resolve({ end: ending.reason });
      const child = spawn(program, args, { cwd, env: { ...environment, ...own }, shell: false, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      guard.watch(child.pid);
      const taken = lines === undefined ? undefined : openLines(lines);
      const kept: Buffer[] = [];
      let [size, stderr] = [0, ''];
      let early: 'too-large' | 'timed-out' | 'stopped' | undefined;
      let [again, killing]: (NodeJS.Timeout | undefined)[] = [];

      function endEarly(how: 'too-large' | 'timed-out' | 'stopped'): void {
        if (early !== undefined) return;
        early = how;
        child.kill('SIGINT');
        again = setTimeout(() => child.kill('SIGINT'), graceMs * hurry);
        killing = setTimeout(() => killGroup(child), graceMs);
      }

      const onEnding = (): void => endEarly(ending.reason);
      if (readsBack === undefined) ending.addEventListener('abort', onEnding, { once: true });
      const limit = readsBack === undefined ? undefined : setTimeout(() => endEarly('timed-out'), readBackMs);

      child.stdout.on('data', (chunk: Buffer) => {
        if (taken !== undefined) return taken.take(chunk);
        size += chunk.length;
        if (size <= mostDocument) kept.push(chunk);
        else endEarly('too-large');
      });
      child.stderr.on('data', (chunk: Buffer) => {
        if (stderr.length < mostStderr) stderr += chunk.toString('utf8');
      });
      child.on('exit', () => killGroup(child));
      child.on('error', () => finish({ end: 'missing' }));
      child.on('close', (exit) => {
        taken?.end();
        finish(early === undefined ? { end: 'exited', exit, stdout: Buffer.concat(kept), stderr: stderr.slice(0, mostStderr) } : { end: early });
      });

      function finish(end: ToolEnd): void {
        clearTimeout(again);
        clearTimeout(killing);
        clearTimeout(limit);
        ending.removeEventListener('abort', onEnding);
        guard.rest();
        resolve(end);
      }
    });
}

/** The pipes of what has left the group are let go of as well: it must not keep the job from ending. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
  setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, 1000).unref();
}
