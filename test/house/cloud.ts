/** The fake cloud under a clock that the test drives. One serves many houses, one after the other. */
import { generateKeyPairSync } from 'node:crypto';
import { vi } from 'vitest';
import { type ManualClock, manualClock } from '../ports/manual-clock.ts';
import { type Sim, startSim } from '../sim/sim.ts';

export interface ClockedCloud {
  readonly sim: Sim;
  /** The one clock of cloud and houses. The process's `Date` follows it: what is signed for GitHub bears its time. */
  readonly clock: ManualClock;
  /** Sends requests to the cloud. One that the cloud leaves hanging meets its time-out at once, and the clock moves on by it. */
  readonly fetch: typeof fetch;
  /** Goes with `fetch`: the time-out of the request that it is handed to. */
  readonly deadline: (ms: number) => AbortSignal;
  /** PEM key of the GitHub App. */
  readonly privateKey: string;
  stop(): Promise<void>;
}

/** Later than everything the seeded cloud holds. */
export const dawn = Date.UTC(2026, 1, 2, 8);

interface Pending {
  readonly url: URL;
  readonly method: string;
  readonly end: () => void;
}

/** Starts a cloud. Rejects when no port is free. */
export async function openCloud(): Promise<ClockedCloud> {
  const clock = followedByDate(manualClock(dawn));
  const ends = new WeakMap<AbortSignal, () => void>();
  const pending = new Set<Pending>();

  function hung(method: string, path: string): void {
    const asked = [...pending].find((one) => one.method === method && one.url.pathname.endsWith(path));
    if (!asked) throw new Error(`the cloud left ${method} ${path} without an answer, and nobody waits for it`);
    asked.end();
  }

  function deadline(ms: number): AbortSignal {
    const controller = new AbortController();
    ends.set(controller.signal, () => {
      clock.advance(ms);
      controller.abort();
    });
    return controller.signal;
  }

  const send: typeof fetch = async (input, init = {}) => {
    const end = init.signal ? ends.get(init.signal) : undefined;
    const one: Pending = { url: new URL(String(input)), method: init.method ?? 'GET', end: end ?? (() => undefined) };
    pending.add(one);
    return fetch(input, init).finally(() => pending.delete(one));
  };

  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  const sim = await startSim({ now: clock.now, hung });
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const stop = async () => {
    await sim.stop();
    vi.useRealTimers();
  };
  return { sim, clock, fetch: send, deadline, privateKey, stop };
}

function followedByDate(clock: ManualClock): ManualClock {
  const follow = <Given extends readonly unknown[], Out>(move: (...given: Given) => Out) =>
    ((...given) => {
      const out = move(...given);
      vi.setSystemTime(clock.now());
      return out;
    }) satisfies (...given: Given) => Out;
  return { ...clock, sleep: follow(clock.sleep), advance: follow(clock.advance), set: follow(clock.set) };
}
