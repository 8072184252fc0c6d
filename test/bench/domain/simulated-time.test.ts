import { describe, expect, it } from 'vitest';
import { linesOf, openDomain } from './runs.ts';

/** A run of independent lines, each with one read and one write at the provider. */
const played = (lines: number, atOnce: number, depth = 1) =>
  openDomain({ lines: atOnce, latency: 100 }).run(linesOf('s', lines, { depth }), { intent: 'apply', name: 's' });

describe('a run in simulated time', () => {
  it('takes the time of one line when all of them run at once', async () => {
    expect(await played(20, 20)).toMatchObject({ ms: 200, providerCalls: 40, run: { outcome: 'complete' } });
  });

  it('takes the time of all of them when they run one at a time', async () => {
    expect((await played(20, 1)).ms).toBe(20 * 200);
  });

  it('takes the time of its longest chain', async () => {
    expect((await played(20, 20, 5)).ms).toBe(5 * 200);
  });

  it('shows a second for which a ready line waits: the bound is missed by it', async () => {
    const bench = openDomain({ lines: 20, latency: 100 });
    const { queues } = bench.workbench.queues;
    const send = queues.lines;
    Object.assign(queues, { lines: (messages: Parameters<typeof send>[0], delay = 0) => send(messages, delay + 1) });
    expect((await bench.run(linesOf('s', 20), { intent: 'apply', name: 's' })).ms).toBe(1200);
  });

  it('is the same every time, to the request', async () => {
    const [first, second] = [await played(30, 7), await played(30, 7)];
    expect({ ...first, run: undefined }).toEqual({ ...second, run: undefined });
  });
});
