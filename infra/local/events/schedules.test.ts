import { expect, test, vi } from 'vitest';
import { createSchedules, intervalOf } from './schedules.ts';

test.each([
  ['rate(1 minute)', 60_000],
  ['rate(15 minutes)', 900_000],
  ['rate(2 hours)', 7_200_000],
  ['rate(1 day)', 86_400_000],
  ['cron(0 12 * * ? *)', undefined],
])('%s runs every %s ms', (expression, interval) => {
  expect(intervalOf(expression)).toBe(interval);
});

test('a started schedule runs at its rate until it is stopped', () => {
  vi.useFakeTimers();
  const fire = vi.fn();
  const schedules = createSchedules();
  schedules.add({ id: 'Sweep', expression: 'rate(15 minutes)', fire });
  schedules.start();
  vi.advanceTimersByTime(31 * 60_000);
  expect(fire).toHaveBeenCalledTimes(2);
  schedules.stop();
  vi.advanceTimersByTime(60 * 60_000);
  expect(fire).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test('firing what the template does not schedule is an error that names it', () => {
  expect(() => createSchedules().fire('Ghost')).toThrow(/^Ghost: /);
});
