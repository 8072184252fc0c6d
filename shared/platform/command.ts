import { spawn } from 'node:child_process';
import type { Environment } from './clients.ts';

/** A command of a person's machine, to be run once. */
export interface Command {
  /** Folder it runs in; absent: that of the process. */
  readonly folder?: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Everything it sees; nothing of the process is added. */
  readonly environment: Environment;
  /** Until it is killed, ms. */
  readonly timeoutMs: number;
  /** How much it may write, bytes; absent: more than any secret. */
  readonly mostBytes?: number;
  /** Aborted: the command is to end, as by Ctrl-C. It has some seconds for it. */
  readonly signal?: AbortSignal;
}

/** What became of it. `stderr` is what the command said, cut and unmasked: mask it before it is shown. */
export type CommandEnd =
  | { readonly end: 'output'; readonly bytes: Buffer }
  | { readonly end: 'failed'; readonly exit: string; readonly bytes: Buffer; readonly stderr: string }
  | { readonly end: 'missing' | 'not-executable' | 'timed-out' | 'too-large' };

/** More than any secret; a command that gives more is stopped. */
const secretBytes = 1024 * 1024;
const mostStderr = 4096;
/** How long a command may take to end when it is asked to. */
const graceMs = 10_000;

/** Runs a command without a shell and without input, and gives what it wrote. It is killed when its time is up or it writes too much. */
export function runCommand({ program, args, environment, timeoutMs, mostBytes = secretBytes, folder, signal }: Command): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment },
      ...(folder === undefined ? {} : { cwd: folder }),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let ended = false;

    /** Pipes are let go of as well: something that the command started may hold them open for ever. */
    function end(how: CommandEnd): void {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', interrupt);
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(how);
    }

    const timer = setTimeout(() => end({ end: 'timed-out' }), timeoutMs);
    let grace: NodeJS.Timeout | undefined;
    function interrupt(): void {
      child.kill('SIGINT');
      grace = setTimeout(() => end({ end: 'timed-out' }), graceMs);
    }
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt);
    child.on('error', (error) => end({ end: 'code' in error && error.code === 'ENOENT' ? 'missing' : 'not-executable' }));
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) end({ end: 'too-large' });
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < mostStderr) stderr += chunk.toString('utf8');
    });
    child.on('close', (code, signal) => {
      const bytes = Buffer.concat(chunks);
      end(code === 0 ? { end: 'output', bytes } : { end: 'failed', exit: signal ?? `exit ${code}`, bytes, stderr: stderr.slice(0, mostStderr) });
    });
  });
}
