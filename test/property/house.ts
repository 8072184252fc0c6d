/** The workbench, watched: what each function sends to the provider is noted together with who sent it and what the table said just then. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Op, OpRegistry, ProviderHttp, ProviderRequest } from '../../shared/engine/op.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import type { Entry } from '../../shared/ledger/entry.ts';
import type { Item } from '../../shared/ports/table.ts';
import type { Run } from '../../shared/run/items.ts';
import { exampleRegistry, things } from '../ports/example-op.ts';
import type { Queued } from '../ports/memory-queues.ts';
import { openWorkbench, type Workbench, type WorkbenchParts } from '../ports/workbench.ts';

/** A write that reached the provider. */
export interface Sent {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Name and id of the thing; a create's id is the one it was given, where it was made. */
  readonly name: string;
  readonly id: string | undefined;
  readonly value: string | undefined;
  /** What the thing held before. */
  readonly from: string | undefined;
  /** Whether it took effect. */
  readonly done: boolean;
  /** The run as it stood then, and the line that was worked on. */
  readonly run: Run;
  readonly line: string;
  readonly at: number;
  /** The lease of the run's scope as it stood then. */
  readonly lease: Item | undefined;
  /** How many writes the table had taken by then. */
  readonly after: number;
  /** What the run's scope had in its ledger under that name. */
  readonly entry: Entry | undefined;
}

export interface House {
  readonly bench: Workbench;
  readonly sent: Sent[];
  /** Ids of everything that our requests made. */
  readonly ours: Set<string>;
  /** Every message that was ever delivered. */
  readonly delivered: Queued[];
  deliver(message: Queued): Promise<void>;
  /** Works on a message: what is sent to the provider meanwhile is noted as its run's. */
  working<T>(message: Queued, work: () => Promise<T>): Promise<T>;
}

export const scopeOfRun = (run: Pick<Run, 'repository' | 'plan' | 'environment' | 'scope'>): string =>
  [run.repository.id, run.plan.name, run.environment, run.scope].map(encodeURIComponent).join('#');

/**
 * The example op as a careful one would be: a value that it reads may have been a secret of an older plan, whose name nobody knows any more,
 * so it is neither shown as what was there before nor given out as public.
 */
const careful: Op<never> = {
  ...(things as unknown as Op<never>),
  outputs: { ...things.outputs, value: { available: 'immediate', sensitive: true, about: 'Its value.' } },
  diff: (...given) =>
    (things as unknown as Op<never>).diff(...given).map((change) => ({
      ...change,
      fields: change.fields.map((field) => (field.before.state === 'literal' ? { ...field, before: { state: 'sensitive' } } : field)),
    })),
};
/** No id stands in another one: a value that is one of them may be a secret, and is masked wherever it stands. */
const thingId = (count: number): string => `id-${count}-`;
/** Ops of which the example's is the careful one. */
export const carefully = (ops: OpRegistry): OpRegistry => ({
  ...ops,
  find: (adapter, op) => (exampleRegistry.find(adapter, op) ? (careful as unknown as Op) : ops.find(adapter, op)),
});
const registry = carefully(exampleRegistry);

/** A provider that repeats what it was sent, as many do. */
const echoed = ({ problem }: LockkeeperError, value = ''): LockkeeperError =>
  new LockkeeperError({ ...problem, message: `${problem.message} It was sent ${value}.`, details: { sent: value } });

const nameOf = (entry: Entry): string => entry.key.slice('thing:'.length);

/** Everything the scope has in its ledger. */
export const entriesIn = (bench: Workbench, scope?: string): Entry[] =>
  bench.memory
    .items((item) => item.sk.startsWith('LEDGER#') && (scope === undefined || item.pk === `SCOPE#${scope}`))
    .flatMap((item) => item['entries'] as Entry[]);

/** @param stack a person's own machine, or an AWS account. */
export function openHouse(parts: WorkbenchParts = {}, stack: 'embedded' | 'deployed' = 'embedded'): House {
  const working = new AsyncLocalStorage<Queued>();
  const sent: Sent[] = [];
  const ours = new Set<string>();
  const delivered: Queued[] = [];
  const watched: ProviderHttp = { send: (request) => (request.method === 'GET' ? bench.provider.http.send(request) : write(request)) };
  const bench: Workbench = openWorkbench(stack, { provider: watched, registry, thingId, ...parts });

  async function write<T>(request: ProviderRequest<T>): Promise<T> {
    const { message } = working.getStore() as Queued & { message: { run: string; line?: string } };
    const run = bench.memory.peek(`RUN#${message.run}`, 'META') as unknown as Run;
    const scope = scopeOfRun(run);
    const body = request.body as { name?: string; value?: string; place?: string } | undefined;
    const id = request.path.split('/')[1];
    const name = body?.name ?? thingById(bench, id)?.name ?? '?';
    const before = thingById(bench, id) ?? bench.provider.find(name);
    const seen = {
      method: request.method as Sent['method'],
      name,
      value: body?.value,
      from: before?.value,
      run,
      line: message.line ?? '(settle)',
      at: bench.clock.now(),
      lease: bench.memory.peek(`SCOPE#${scope}`, 'LEASE'),
      after: bench.memory.writes.length,
      entry: entriesIn(bench, scope).find((entry) => nameOf(entry) === name),
    };
    try {
      return await bench.provider.http.send(request);
    } catch (error) {
      throw error instanceof LockkeeperError && error.code === 'PROVIDER_INVALID' ? echoed(error, body?.value) : error;
    } finally {
      const after = id === undefined ? bench.provider.find(name) : thingById(bench, id);
      const done =
        request.method === 'POST' ? before === undefined && after !== undefined : request.method === 'DELETE' ? after === undefined : before !== undefined;
      if (request.method === 'POST' && done && after) ours.add(after.id);
      sent.push({ ...seen, id: id ?? (done ? after?.id : undefined), done });
    }
  }

  return {
    bench,
    sent,
    ours,
    delivered,
    deliver(message) {
      delivered.push(message);
      return working.run(message, () => bench.deliver(message));
    },
    working: (message, work) => working.run(message, work),
  };
}

/** A thing at the provider by its id. */
export const thingById = (bench: Workbench, id: string | undefined) => bench.provider.things().find((one) => one.id === id);
