import { spawn } from 'node:child_process';
import type { Environment } from './clients.ts';

/** A command of a person's machine, to be run once. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Everything it sees; nothing of the process is added. */
  readonly environment: Environment;
  /** Until it is killed, ms. */
  readonly timeoutMs: number;
}

/** What became of it. `stderr` is what the command said, cut and unmasked: mask it before it is shown. */
export type CommandEnd =
  | { readonly end: 'output'; readonly bytes: Buffer }
  | { readonly end: 'failed'; readonly exit: string; readonly bytes: Buffer; readonly stderr: string }
  | { readonly end: 'missing' | 'not-executable' | 'timed-out' | 'too-large' };

/** More than any secret; a command that gives more is stopped. */
const mostBytes = 1024 * 1024;
const mostStderr = 4096;

/** Runs a command without a shell and without input, and gives what it wrote. It is killed when its time is up or it writes too much. */
export function runCommand({ program, args, environment, timeoutMs }: Command): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { shell: false, stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment } });
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let ended = false;

    /** Pipes are let go of as well: something that the command started may hold them open for ever. */
    function end(how: CommandEnd): void {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(how);
    }

    const timer = setTimeout(() => end({ end: 'timed-out' }), timeoutMs);
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
