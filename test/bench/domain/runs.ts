/** Runs of many lines through the whole domain in one process, counted and timed by a simulated clock. */
import { decide } from '../../../shared/approvals/decision.ts';
import type { Run } from '../../../shared/run/items.ts';
import { runKey, runPartition } from '../../../shared/table/keys.ts';
import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench, type WorkbenchParts } from '../../ports/workbench.ts';
import { itemRegistry } from './item-op.ts';
import { itemProvider } from './item-provider.ts';
import { type Concurrency, type Elsewhere, playOut, simulatedWaits } from './simulated-time.ts';

/** What one run came to. Counts are of requests, but for `itemsRead`. */
export interface Counted {
  readonly run: Run;
  readonly writes: number;
  readonly reads: number;
  /** Items that all reads together returned. */
  readonly itemsRead: number;
  readonly messages: number;
  readonly providerCalls: number;
  /** From its start until it has settled, or stands at its question, simulated ms. */
  readonly ms: number;
}

export interface DomainBench {
  readonly workbench: Workbench;
  /** Runs a plan to its end, or to its question. A name stands for a scope of its own. */
  run(lines: readonly object[], as: { readonly intent: 'plan' | 'apply' | 'destroy'; readonly name: string; readonly environment?: string }): Promise<Counted>;
  /** Approves the question at which a run stands, and lets it go on. */
  approve(run: Run): Promise<Counted>;
}

export interface DomainOptions {
  /** How many lines are worked on at once; the template's number where absent. */
  readonly lines?: number;
  /** How long every provider request takes, simulated ms. */
  readonly latency?: number;
  /** How long every request to the table takes, simulated ms. */
  readonly storeLatency?: number;
  /** The state machine, where it is not the one in memory. */
  readonly machine?: { readonly port: NonNullable<WorkbenchParts['machine']> } & Elsewhere;
}

/** What the template's mappings allow. */
const templateSlots: Concurrency = { control: 10, lines: 50 };

export function openDomain({ lines: atOnce = templateSlots.lines, latency = 0, storeLatency = 0, machine }: DomainOptions = {}): DomainBench {
  const time = { now: (): number => workbench.clock.now() };
  const waits = simulatedWaits(time.now);
  const provider = itemProvider(time, latency > 0 ? () => waits.wait(latency) : async () => undefined);
  const workbench: Workbench = openWorkbench('embedded', { registry: itemRegistry, provider: provider.http, ...(machine ? { machine: machine.port } : {}) });
  const { memory, queues, clock } = workbench;
  if (storeLatency > 0)
    memory.faults.before(
      () => true,
      () => waits.wait(storeLatency),
      Number.POSITIVE_INFINITY,
    );

  const marks = () => ({
    writes: memory.writes.length,
    reads: memory.calls.length - memory.writes.length,
    itemsRead: memory.itemsRead(),
    messages: queues.sent.length,
    providerCalls: provider.calls(),
    ms: clock.now(),
  });

  /** When the run's log says that it settled or asked, for the last time. Messages that find nothing left to do may come later. */
  function restedAt(id: string): number {
    const log = memory.items().filter((item) => item.pk === runPartition(id) && (item['event'] === 'settled' || item['event'] === 'asked'));
    return Math.max(...log.map((item) => Date.parse(String(item['at']))));
  }

  /** Plays out what `start` begins. It answers with the run's id. */
  async function counted(start: () => Promise<string>): Promise<Counted> {
    const before = marks();
    const starting = start();
    await playOut(workbench, waits, { ...templateSlots, lines: atOnce }, machine);
    const after = marks();
    const grown = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]]));
    const id = await starting;
    const { pk, sk } = runKey(id);
    return { run: memory.peek(pk, sk) as unknown as Run, ...(grown as typeof after), ms: restedAt(id) - before.ms };
  }

  return {
    workbench,
    run(lines, { intent, name, environment = 'preview' }) {
      clock.advance(1000);
      const commit = `${name} at ${clock.now()}`;
      workbench.code.commit(commitOf(commit), planPath, planOf(lines.map((line) => ({ adapter: 'bench', op: 'item', ...line }))));
      return counted(() => workbench.command({ intent, commit, scope: name, branch: name, environment }));
    },
    approve(run) {
      const { q, digest } = run.question as NonNullable<Run['question']>;
      const decision = { verdict: 'approve', person: { name: 'kim', through: 'machine' }, at: new Date(clock.now()).toISOString() } as const;
      return counted(async () => {
        await decide(workbench.world(), { q, digest, run: run.id }, decision);
        await queues.queues.control({ format: 1, run: run.id, group: repository.id });
        return run.id;
      });
    },
  };
}

export interface Shape {
  readonly text?: string;
  /** Resources a line. */
  readonly count?: number;
  /** Lines of one chain: each needs the one before. */
  readonly depth?: number;
}

/** So many lines, in chains of `depth`. Names hold the scope's, so that no two scopes reach for one resource. */
export function linesOf(scope: string, lines: number, { text = '1', count = 1, depth = 1 }: Shape = {}): object[] {
  return Array.from({ length: lines }, (_, at) => ({
    id: `l${at}`,
    name: `${scope}-${at}`,
    text,
    count,
    ...(at % depth === 0 ? {} : { depends_on: [`l${at - 1}`] }),
  }));
}
