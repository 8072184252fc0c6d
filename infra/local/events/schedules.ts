import { unsupported } from '../template/unsupported.ts';

export interface ScheduleEntry {
  readonly id: string;
  /** `rate(15 minutes)`; `cron(…)` and `at(…)` run by `fire` alone. */
  readonly expression: string;
  fire(): void;
}

export interface Schedules {
  add(entry: ScheduleEntry): void;
  /** Runs one schedule now. @throws LockkeeperError TEMPLATE_UNSUPPORTED for an unknown logical id. */
  fire(logicalId: string): void;
  /** Starts the timers. They do not keep the process alive. */
  start(): void;
  stop(): void;
}

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** Milliseconds between two runs; undefined for what is no rate. */
export function intervalOf(expression: string): number | undefined {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const length = unit === undefined ? undefined : units[unit];
  return length === undefined ? undefined : Number(count) * length;
}

export function createSchedules(): Schedules {
  const entries = new Map<string, ScheduleEntry>();
  const timers: NodeJS.Timeout[] = [];
  return {
    add: (entry) => void entries.set(entry.id, entry),
    fire(logicalId) {
      const entry = entries.get(logicalId);
      if (!entry) throw unsupported(logicalId, 'the template has no enabled schedule of this logical id');
      entry.fire();
    },
    start() {
      for (const entry of entries.values()) {
        const interval = intervalOf(entry.expression);
        if (interval !== undefined) timers.push(setInterval(entry.fire, interval).unref());
      }
    },
    stop: () => timers.forEach(clearInterval),
  };
}
