import { z } from 'zod';
import type { ProviderHttp, ProviderRequest } from '../../shared/engine/op.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { createFaults, type Faults } from './faults.ts';

/** One thing at the example provider. `busy`: how many more looks it takes until it is there. */
export const thing = z.object({ id: z.string(), place: z.string(), name: z.string(), value: z.string(), createdAt: z.number(), busy: z.number() });
export type Thing = z.infer<typeof thing>;

export const deployment = z.object({ state: z.enum(['none', 'success', 'failure']), url: z.string() });

/** What was built of a commit on request, with the values that there were then. */
export const build = z.object({ sha: z.string(), values: z.record(z.string(), z.string()) });
export type Build = z.infer<typeof build>;

export interface ProviderCall {
  readonly method: ProviderRequest<unknown>['method'];
  /** `things`, `things/<id>`, `deployments/<sha>` or `builds`. */
  readonly path: string;
  /** Name of the thing a write is about. */
  readonly name?: string;
}

/** A provider in memory: things with a value, made, changed and deleted by requests; a deployment for each commit. */
export interface ExampleProvider {
  readonly http: ProviderHttp;
  /** Names and values of what is there, sorted; `place/name` outside of `here`. */
  names(): string[];
  /** Copies of everything that is there. */
  things(): Thing[];
  find(name: string, place?: string): Thing | undefined;
  /** A person at the console: makes or changes a thing, past every fault. */
  edit(name: string, value: string, place?: string): Thing;
  /** A person gives a thing another name: it keeps its id. */
  rename(name: string, to: string): void;
  remove(name: string, place?: string): void;
  deploy(sha: string, state: 'success' | 'failure'): void;
  /** Everything that was built on request, in order. */
  readonly builds: readonly Build[];
  /** Every request that was meant to change something and arrived. */
  readonly writes: ProviderCall[];
  readonly calls: ProviderCall[];
  /** What brings the provider back as it is now, as often as it is called. */
  keep(): () => void;
  readonly faults: Faults<ProviderCall>;
}

export const unansweredRequest = (): Error => new LockkeeperError({ code: 'PROVIDER_TIMEOUT', message: 'the test lost this answer' });

export function exampleProvider(clock: Pick<Clock, 'now'>, idOf: (count: number) => string = (count) => `id-${count}`): ExampleProvider {
  const things = new Map<string, Thing>();
  const deployments = new Map<string, 'success' | 'failure'>();
  const builds: Build[] = [];
  const writes: ProviderCall[] = [];
  const calls: ProviderCall[] = [];
  const { faults, through } = createFaults<ProviderCall>(unansweredRequest);
  let count = 0;

  const find = (name: string, place = 'here') => [...things.values()].find((one) => one.name === name && one.place === place);

  function make(name: string, value: string, place: string, busy = 0): Thing {
    const made = { id: idOf(++count), place, name, value, createdAt: clock.now(), busy };
    things.set(made.id, made);
    return made;
  }

  function create({ place, name, value, busy }: { place: string; name: string; value: string; busy: number }): Thing {
    if (find(name, place)) throw new LockkeeperError({ code: 'PROVIDER_CONFLICT', message: `${name} exists`, details: { exists: true } });
    return make(name, value, place, busy);
  }

  function start({ sha }: Pick<Build, 'sha'>): Build {
    const made = { sha, values: Object.fromEntries([...things.values()].map(({ name, value }) => [name, value])) };
    builds.push(made);
    return made;
  }

  /** Every look at a busy thing brings it nearer to being there. */
  function look(found: Thing): Thing {
    const seen = { ...found };
    if (found.busy > 0) things.set(found.id, { ...found, busy: found.busy - 1 });
    return seen;
  }

  function answer({ method, path, body, query }: ProviderRequest<unknown>): unknown {
    const [kind, id] = path.split('/') as [string, string | undefined];
    if (kind === 'deployments') return { state: deployments.get(id ?? '') ?? 'none', url: `https://${id?.slice(0, 7)}.example.test` };
    if (kind === 'builds') return method === 'POST' ? start(body as Build) : builds;
    if (method === 'POST') return create(body as Thing);
    if (id === undefined) return [...things.values()].filter((one) => one.place === query?.['place']).map(look);
    const found = things.get(id);
    if (method === 'DELETE') return things.delete(id);
    if (!found) throw new LockkeeperError({ code: 'PROVIDER_NOT_FOUND', message: `there is no ${id}` });
    if (method === 'PATCH') things.set(id, { ...found, value: (body as Thing).value });
    return { ...things.get(id) };
  }

  function send<T>(request: ProviderRequest<T>): Promise<T> {
    const { method, path } = request;
    const name = (request.body as Thing | undefined)?.name ?? things.get(path.split('/')[1] ?? '')?.name;
    const call: ProviderCall = name === undefined ? { method, path } : { method, path, name };
    calls.push(call);
    return through(call, () => {
      if (method !== 'GET') writes.push(call);
      return request.answer.parse(structuredClone(answer(request)));
    });
  }

  return {
    http: { send },
    names: () => [...things.values()].map((one) => `${one.place === 'here' ? '' : `${one.place}/`}${one.name}=${one.value}`).sort(),
    things: () => [...things.values()].map((one) => ({ ...one })),
    find,
    edit(name, value, place = 'here') {
      const found = find(name, place);
      if (!found) return make(name, value, place);
      const edited = { ...found, value };
      things.set(found.id, edited);
      return edited;
    },
    rename(name, to) {
      const found = find(name);
      if (found) things.set(found.id, { ...found, name: to });
    },
    remove: (name, place) => void things.delete(find(name, place)?.id ?? ''),
    deploy: (sha, state) => void deployments.set(sha, state),
    builds,
    writes,
    calls,
    keep() {
      const kept = { things: [...things], deployments: [...deployments], builds: builds.length, writes: writes.length, calls: calls.length, count };
      return () => {
        things.clear();
        deployments.clear();
        for (const [id, one] of kept.things) things.set(id, one);
        for (const [sha, state] of kept.deployments) deployments.set(sha, state);
        builds.length = kept.builds;
        writes.length = kept.writes;
        calls.length = kept.calls;
        count = kept.count;
      };
    },
    faults,
  };
}
