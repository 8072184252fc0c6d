import { spawn } from 'node:child_process';

/**
 * Takes down what it is told, a process group a line. "done" comes when all went well; the pipe's end without it means that the job is dead:
 * then the group at work is killed, and the job's folder removed. The guard holds the job's standard error open until then, by which whoever
 * started the job sees that it is not over yet.
 */
const script = [
  'group=',
  'while read -r line; do case "$line" in done) exit 0 ;; *) group=$line ;; esac; done',
  'if [ -n "$group" ]; then kill -KILL "-$group" 2>/dev/null; while kill -0 "-$group" 2>/dev/null; do sleep 0.1; done; fi',
  'rm -rf "$1"',
].join('\n');

export interface Guard {
  /** The process group that is at work from here on. */
  watch(group: number | undefined): void;
  /** Nothing is at work. */
  rest(): void;
  /** The job is over, and its folder is gone. */
  release(): void;
  /** The job is over, and its folder is not gone: the guard tries it once more. */
  abandon(): void;
}

/**
 * Sees to it that neither a tool nor the job's folder outlives this process, however that ends: a tool that nobody watches would go on
 * writing (P9), and the folder has secrets in it.
 */
export function guardJob(folder: string): Guard {
  const guard = spawn('/bin/sh', ['-c', script, 'guard', folder], { detached: true, env: { PATH: '/usr/bin:/bin' }, stdio: ['pipe', 'ignore', 'inherit'] });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  const tell = (line: string): void => void guard.stdin.write(`${line}\n`);
  return {
    watch: (group) => tell(String(group ?? '')),
    rest: () => tell(''),
    release: () => void guard.stdin.end('done\n'),
    abandon: () => void guard.stdin.end('\n'),
  };
}
