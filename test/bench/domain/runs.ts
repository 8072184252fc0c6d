/** Runs of many lines through the whole domain in one process, counted and timed by a simulated clock. */
import { decide } from '../../../shared/approvals/decision.ts';
import type { Run } from '../../../shared/run/items.ts';
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
  /** From its start until nothing is left to do, simulated ms. */
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
  /** The state machine, where it is not the one in memory. */
  readonly machine?: { readonly port: NonNullable<WorkbenchParts['machine']> } & Elsewhere;
}

/** What the template's mappings allow. */
const templateSlots: Concurrency = { control: 10, lines: 50 };

export function openDomain({ lines: atOnce = templateSlots.lines, latency = 0, machine }: DomainOptions = {}): DomainBench {
  const time = { now: (): number => workbench.clock.now() };
  const waits = simulatedWaits(time.now);
  const provider = itemProvider(time, latency > 0 ? () => waits.wait(latency) : async () => undefined);
  const workbench: Workbench = openWorkbench('embedded', { registry: itemRegistry, provider: provider.http, ...(machine ? { machine: machine.port } : {}) });
  const { memory, queues, clock } = workbench;

  const marks = () => ({
    writes: memory.writes.length,
    reads: memory.calls.length - memory.writes.length,
    itemsRead: memory.itemsRead(),
    messages: queues.sent.length,
    providerCalls: provider.calls(),
    ms: clock.now(),
  });

  /** Plays out what `start` begins. It answers with the run's id. */
  async function counted(start: () => Promise<string>): Promise<Counted> {
    const before = marks();
    const id = await start();
    await playOut(workbench, waits, { ...templateSlots, lines: atOnce }, machine);
    const after = marks();
    const grown = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]]));
    return { run: await workbench.run(id), ...(grown as typeof after) };
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
