import { spawn } from 'node:child_process';

/**
 * Waits for one line. It comes when all went well; the pipe's end without it means that the job is dead: then the group is killed, and the
 * guard stays until nobody is left in it. It holds the job's standard error open meanwhile, by which whoever started the job sees that it
 * is not over yet.
 */
const script = 'read -r line && exit 0; kill -KILL "-$1" 2>/dev/null; while kill -0 "-$1" 2>/dev/null; do sleep 0.1; done';

/** Sees to it that a process group does not outlive this process, however that ends: a tool that nobody watches would go on writing (P9). */
export function guardGroup(group: number | undefined): { release(): void } {
  if (group === undefined) return { release: () => undefined };
  const guard = spawn('/bin/sh', ['-c', script, 'guard', String(group)], {
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return { release: () => void guard.stdin.end('\n') };
}
