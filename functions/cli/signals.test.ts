import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onInterrupt } from './signals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
});

const press = () => process.emit('SIGINT', 'SIGINT');

it('aborts at the first Ctrl-C, and ends the process at the second', () => {
  const exits: number[] = [];
  const notes: string[] = [];
  const signal = onInterrupt({ note: (text) => void notes.push(text) }, (code) => void exits.push(code));
  expect(signal.aborted).toBe(false);
  press();
  expect({ aborted: signal.aborted, exits, notes }).toEqual({ aborted: true, exits: [], notes: ['Stopping. Press Ctrl-C again to leave at once.'] });
  vi.advanceTimersByTime(250);
  press();
  expect(exits).toEqual([130]);
});

it('takes the same Ctrl-C, which terminal and launcher both send, for one', () => {
  const exits: number[] = [];
  onInterrupt({ note: () => undefined }, (code) => void exits.push(code));
  press();
  vi.advanceTimersByTime(249);
  press();
  expect(exits).toEqual([]);
});
