import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * What tells a process from a later one with the same id: the boot and the clock tick at which it started. Undefined where
 * /proc is not there to ask, or the process is not.
 */
export function processStart(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the second one, the command, is in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process with this id is the one that started then. */
export function isAlive(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false; // EPERM: there, and somebody else's
  }
  const now = processStart(pid);
  return start === undefined || now === undefined || now === start;
}

/** Whether anything listens on a loopback port. */
export function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1')
    .on('connect', () => resolve(true))
    .on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  return promise.finally(() => socket.destroy());
}
