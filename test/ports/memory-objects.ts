import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Objects, PutAnswer, StoredObject } from '../../shared/ports/objects.ts';
import { createFaults, type Faults, unanswered } from './faults.ts';

export type ObjectsCall = { readonly op: 'get' | 'put' | 'versions'; readonly key: string };

export interface MemoryObjects {
  readonly objects: Objects;
  /** Keys that exist, sorted. */
  keys(): string[];
  /** Bodies of one key, oldest first. */
  bodies(key: string): string[];
  /** Puts whatever the test says, past every precondition: for corrupt objects. */
  plant(key: string, body: string): void;
  readonly calls: ObjectsCall[];
  /** What brings the bucket back as it is now, as often as it is called. */
  keep(): () => void;
  readonly faults: Faults<ObjectsCall>;
}

/** The versioned bucket in memory. */
export function memoryObjects(clock: Pick<Clock, 'now'> = { now: () => 0 }): MemoryObjects {
  const stored = new Map<string, (StoredObject & { readonly at: number })[]>();
  const calls: ObjectsCall[] = [];
  const { faults, through } = createFaults<ObjectsCall>(unanswered);
  let count = 0;

  const latest = (key: string) => stored.get(key)?.at(-1);

  function store(key: string, body: string): PutAnswer {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const version = `v${++count}`;
    stored.set(key, [...(stored.get(key) ?? []), { body, etag, version, at: clock.now() }]);
    return { stored: true, etag, version };
  }

  function call<T>(op: ObjectsCall['op'], key: string, effect: () => T): Promise<T> {
    calls.push({ op, key });
    return through({ op, key }, effect);
  }

  const objects: Objects = {
    get: (key, version) =>
      call('get', key, () => {
        const found = version === undefined ? latest(key) : stored.get(key)?.find((one) => one.version === version);
        return found && { body: found.body, etag: found.etag, version: found.version };
      }),
    put: (key, body, when) =>
      call('put', key, () => {
        const holds = 'ifAbsent' in when ? latest(key) === undefined : latest(key)?.etag === when.ifMatch;
        return holds ? store(key, body) : { stored: false };
      }),
    versions: (key) => call('versions', key, () => (stored.get(key) ?? []).map(({ version, at }) => ({ version, at })).reverse()),
  };

  return {
    objects,
    keys: () => [...stored.keys()].sort(),
    bodies: (key) => (stored.get(key) ?? []).map((one) => one.body),
    plant: (key, body) => void store(key, body),
    calls,
    keep() {
      const kept = [...stored];
      const [called, versions] = [calls.length, count];
      return () => {
        stored.clear();
        for (const [key, bodies] of kept) stored.set(key, bodies);
        calls.length = called;
        count = versions;
      };
    },
    faults,
  };
}
