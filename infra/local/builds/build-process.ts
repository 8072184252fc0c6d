import { type ChildProcess, spawn } from 'node:child_process';
import { credentials } from '../template/place.ts';

/** A build at work. */
export interface BuildProcess {
  readonly pid: number | undefined;
  /** Exit status of its process, null when a signal ended it: once nothing that it started is left. */
  readonly ended: Promise<number | null>;
  /** Asks the process to end what it is at. */
  ask(): void;
  /** Ends its whole group. */
  kill(): void;
}

/** Starts what builds of an entry run. */
export type BuildProgram = (entry: string, variables: Readonly<Record<string, string>>) => BuildProcess;

export interface ProgramOptions {
  /** Program of each entry: its file, and options of node for it. */
  readonly programs: Readonly<Record<string, { readonly file: string; readonly execArgv?: readonly string[] }>>;
  /** Where the bucket is: of all services a build's role may use this one alone. */
  readonly s3: () => string;
  /** The folders in which the tools of this machine are looked for, as `PATH` has them. */
  readonly path: string;
}

/**
 * Runs builds as processes of this machine, each in a group of its own, with an environment made from nothing. A build is over when nobody holds
 * its standard error any more: whatever a job leaves at work holds it open. Nothing of what it says is kept, as in AWS, where its logs are off.
 */
export function buildProgram({ programs, s3, path }: ProgramOptions): BuildProgram {
  return (entry, variables) => {
    const program = programs[entry];
    if (!program) throw new Error(`no program was given for the builds of ${entry}`);
    const child = spawn(process.execPath, [...(program.execArgv ?? []), program.file], {
      detached: true,
      env: { PATH: path, EMBEDDED_STACK: 'yes', ...credentials, AWS_ENDPOINT_URL_S3: s3(), ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.resume();
    const guard = guarded(child);
    const ended = new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null));
      child.on('close', (code) => resolve(code));
    }).finally(() => guard.release());
    return { pid: child.pid, ended, ask: () => void child.kill('SIGTERM'), kill: () => killGroup(child) };
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Ends the build should this process die: the pipe closes then, without a line before it. */
const script = 'read -r line && exit 0; kill -KILL "-$1" 2>/dev/null';

function guarded({ pid }: ChildProcess): { release(): void } {
  if (pid === undefined) return { release: () => undefined };
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(pid)], { detached: true, env: {}, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return { release: () => void guard.stdin.end('\n') };
}
