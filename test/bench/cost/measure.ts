/** What one run asks of AWS, counted while it is played out in one process: exact, and the same each time. */
import type { Counted } from '../domain/runs.ts';
import { type DomainBench, linesOf, openDomain } from '../domain/runs.ts';
import { openAsking } from '../domain/transitions.ts';
import { prices } from './prices.ts';

/** `gated`: a create in a protected environment, planned, asked about, approved and applied. */
export const kinds = ['plan', 'create', 'unchanged', 'update', 'destroy', 'gated'] as const;
export type Kind = (typeof kinds)[number];

/** What a line costs on average, of a run of so many. */
export interface Cost {
  readonly kind: Kind;
  readonly lines: number;
  /** DynamoDB requests, and the units that they are billed as: each write by the size of its item, each read by what it returned. */
  readonly writes: number;
  readonly writeUnits: number;
  readonly reads: number;
  readonly readUnits: number;
  /** Sends, receives and deletes: a message is sent once, in batches of ten where lines are, received once, deleted once. */
  readonly queue: number;
  readonly put: number;
  readonly get: number;
  readonly transitions: number;
  readonly invocations: number;
  readonly provider: number;
  /** Time that functions are billed for, ms: what they wait for, at the latencies below. Their own code is told apart, by this machine's processor. */
  readonly waited: number;
  readonly processor: number;
  readonly dollars: number;
}

/** What a request takes, ms: figures that AWS and providers publish or that others have measured, stated here so that anybody can put in their own. */
export const latency = { table: 8, queue: 16, object: 30, provider: 300 } as const;

/** Memory of the functions that work on queues, GB, as the template has it. */
export const memory = 0.5;

const kilobyte = 1024;

export async function measured(lines: number): Promise<Cost[]> {
  const bench = openDomain();
  const costs: Cost[] = [];
  for (const kind of kinds) costs.push(await (kind === 'gated' ? gated(lines) : one(bench, kind, lines)));
  return costs;
}

function one(bench: DomainBench, kind: Exclude<Kind, 'gated'>, lines: number): Promise<Cost> {
  const intent = kind === 'plan' || kind === 'destroy' ? kind : 'apply';
  const text = kind === 'update' ? '2' : '1';
  return played(bench, kind, lines, () => bench.run(linesOf('cost', lines, { text }), { intent, name: 'cost' }));
}

/** On the state machine's own definition, whose transitions are counted. */
function gated(lines: number): Promise<Cost> {
  const { bench, entered } = openAsking();
  const asked = async (): Promise<Counted> => {
    const before = await bench.run(linesOf('cost', lines), { intent: 'apply', name: 'cost', environment: 'production' });
    const after = await bench.approve(before.run);
    const both = (of: Exclude<keyof Counted, 'run'>): number => before[of] + after[of];
    const [writes, reads, itemsRead] = [both('writes'), both('reads'), both('itemsRead')];
    return { run: after.run, writes, reads, itemsRead, messages: both('messages'), providerCalls: both('providerCalls'), ms: both('ms') };
  };
  return played(bench, 'gated', lines, asked, () => entered().length);
}

async function played(bench: DomainBench, kind: Kind, lines: number, play: () => Promise<Counted>, transitions = (): number => 0): Promise<Cost> {
  const { memory: table, fates } = bench.workbench;
  const [wrote, called] = [table.writes.length, fates.calls.length];
  const before = process.cpuUsage();
  const counted = await play();
  const { user, system } = process.cpuUsage(before);
  const sizes = new Map(table.each().map((item) => [`${item.pk} ${item.sk}`, bytesOf(item)]));
  const sizeOf = ({ pk, sk }: { pk: string; sk: string }): number => sizes.get(`${pk} ${sk}`) ?? kilobyte;
  const average = [...sizes.values()].reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.size);
  const named = (name: string): number => fates.calls.slice(called).filter((call) => call.name === name).length;
  const objects = { put: named('objects.put'), get: named('objects.get') + named('objects.versions') };
  const sends = named('queues.control') + named('queues.lines');
  return perLine(kind, lines, counted, {
    writeUnits: table.writes.slice(wrote).reduce((sum, { key }) => sum + Math.max(1, Math.ceil(sizeOf(key) / kilobyte)), 0),
    readUnits: Math.max(counted.reads, Math.ceil((counted.itemsRead * average) / (4 * kilobyte))),
    sends,
    queue: sends + 2 * counted.messages,
    ...objects,
    transitions: transitions(),
    processor: (user + system) / 1000,
  });
}

/** What one run comes to, of which a line has its share. */
function perLine(
  kind: Kind,
  lines: number,
  { run, writes, reads, messages, providerCalls }: Counted,
  { sends, ...more }: { readonly sends: number } & Pick<Cost, 'writeUnits' | 'readUnits' | 'queue' | 'put' | 'get' | 'transitions' | 'processor'>,
): Cost {
  if (run.outcome !== 'complete') throw new Error(`${kind} of ${lines} lines ended ${run.outcome}`);
  const waited = (writes + reads) * latency.table + sends * latency.queue + (more.put + more.get) * latency.object + providerCalls * latency.provider;
  const dollars =
    more.writeUnits * prices.write +
    more.readUnits * prices.read +
    more.queue * prices.queue +
    more.put * prices.put +
    more.get * prices.get +
    more.transitions * prices.transition +
    messages * prices.invocation +
    ((waited + more.processor) / 1000) * memory * prices.gigabyteSecond;
  const all = { ...more, writes, reads, invocations: messages, provider: providerCalls, waited, dollars };
  return { kind, lines, ...(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value / lines])) as typeof all) };
}

const bytesOf = (item: object): number => Buffer.byteLength(JSON.stringify(item, (_key, field: unknown) => (field instanceof Set ? [...field] : field)));
