import { cpus } from 'node:os';

/** Starts to watch the machine. The answer: which share of its processors other processes have used since, 0 to 1. */
export function watchOthers(): () => number {
  const before = { machine: machineTimes(), own: process.cpuUsage() };
  return () => {
    const { busy, all } = machineTimes();
    const { user, system } = process.cpuUsage(before.own);
    const others = busy - before.machine.busy - (user + system) / 1000;
    return Math.max(0, others) / Math.max(1, all - before.machine.all);
  };
}

/** Milliseconds since the machine started, over all processors. */
function machineTimes(): { busy: number; all: number } {
  const times = cpus().map((one) => one.times);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.idle + one.irq, 0);
  return { busy: all - times.reduce((sum, one) => sum + one.idle, 0), all };
}
