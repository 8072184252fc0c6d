/** One stack of one scope, and runs that want it: leases, ledger, mailboxes and the runner in memory; each delivery is one function. */
import { LockkeeperError } from '../../shared/errors/error.ts';
import { enterLease, grantLease, readLease, releaseLease } from '../../shared/lease/lease.ts';
import type { LedgerLine } from '../../shared/ledger/entry.ts';
import { createLedgerLine, readLedgerLine, saveLedgerLine } from '../../shared/ledger/ledger-line.ts';
import { AnswerLost } from '../../shared/ports/table.ts';
import type { LineSpec } from '../../shared/run/items.ts';
import { ledgerPlace } from '../../shared/stacks/record-places.ts';
import { type Advanced, advance } from '../../shared/stacks/tool-job.ts';
import type { ToolWork } from '../../shared/stacks/tool-work.ts';
import { countingIds } from './counting-ids.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { type MemoryObjects, memoryObjects } from './memory-objects.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type MemoryToolRunner, memoryToolRunner } from './memory-tool-runner.ts';
import { type Fates, fates } from './mortal.ts';
import { stackKeys } from './stack-keys.ts';

export const jobScope = 'repo#main#production#main';
export const jobTiming = { leaseTtl: 900_000, skew: 30_000, storeTimeout: 5_000 };

export const applyWork: ToolWork = {
  format: 1,
  do: 'plan-and-apply',
  tool: 'terraform',
  root: { path: 'infra', varFiles: [] },
  source: { object: 'sources/one', key: 'a2V5', sha256: '0'.repeat(64) },
  variables: { password: 'canary-of-a-variable' },
  secretVariables: ['password'],
  environment: { AWS_SESSION_TOKEN: 'canary-of-a-role' },
  mask: ['canary-of-a-variable'],
  lock: true,
  drift: true,
  show: [],
  fingerprintKey: { id: 'one', key: 'a2V5' },
  timeoutMs: 3_600_000,
};

export interface Wanted {
  readonly round?: number;
  readonly ends?: boolean;
}

export interface ToolJobBench {
  readonly clock: ManualClock;
  readonly memory: MemoryTable;
  readonly bucket: MemoryObjects;
  readonly runner: MemoryToolRunner;
  readonly fate: Fates;
  /** Whether two tools were ever at work at once, or one under the sealed lease of another run. */
  readonly broken: string[];
  /** The run's control step: the lease, granted and sealed, and the ledger line. False: another run has it. */
  prepare(run: string): Promise<boolean>;
  /** One delivery of its line's message. */
  deliver(run: string, wanted?: Wanted): Promise<Advanced | 'lock lost'>;
  /** Deliveries and time until there is an answer; what throws comes back. */
  toItsEnd(run: string, wanted?: Wanted): Promise<Exclude<Advanced, { later: number }> | 'lock lost'>;
  /** Control steps and time until it has the lease. */
  takeOver(run: string): Promise<void>;
  release(run: string): Promise<void>;
  ledger(): Promise<LedgerLine>;
}

const lost = (method: string): Error => (method === 'write' ? new AnswerLost('lost') : new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'lost' }));
const mostDeliveries = 300;

export function openToolJobBench(): ToolJobBench {
  const clock = manualClock();
  const memory = memoryTable();
  const bucket = memoryObjects(clock);
  const runner = memoryToolRunner(bucket.objects, clock);
  const fate = fates();
  const ids = countingIds();
  const broken: string[] = [];

  /** The world of one function. */
  function world() {
    const life = fate.life();
    return {
      table: life.wrap('table', memory.table, lost),
      objects: life.wrap('objects', bucket.objects, lost),
      tools: life.wrap('tools', runner.tools, lost),
      ids,
      clock,
      timing: jobTiming,
      keys: stackKeys,
    };
  }

  /** Asked after every move: what may never be. */
  async function judge(): Promise<void> {
    const working = runner.processes().filter(({ at }) => at === 'working');
    if (working.length > 1) broken.push(`${working.map(({ job }) => job)} are at work at once`);
    const lease = await readLease({ ...world(), table: memory.table }, jobScope);
    if (!lease || lease.released || lease.sealedAt !== lease.fence) return;
    const late = working.filter(({ token }) => !token.startsWith(`${lease.holder}-`));
    if (late.length > 0) broken.push(`${late.map(({ job }) => job)} is at work under the sealed lease of ${lease.holder}`);
  }

  async function prepare(run: string): Promise<boolean> {
    const here = world();
    const granted = await grantLease(here, jobScope, run);
    if (granted.granted) await createLedgerLine(here, jobScope, granted.tenure, run, { line: 'vpc', adapter: 'terraform', op: 'root', needs: [] });
    return granted.granted;
  }

  async function deliver(run: string, { round = 1, ends = false }: Wanted = {}): Promise<Advanced | 'lock lost'> {
    const here = world();
    const entry = await enterLease(here, jobScope, run);
    if (!entry.ours) return 'lock lost';
    const ledger = await readLedgerLine(here.table, jobScope, 'vpc');
    if (!ledger) throw new Error('there is no ledger line');
    const line = { run, round, phase: 'applying' as const, spec: { id: 'vpc', order: 0 } as LineSpec };
    const place = ledgerPlace(here, { scope: jobScope, line, tenure: entry.tenure, guard: { beforeWrite: () => undefined }, ledger });
    const answer = await advance(here, place, { purpose: 'apply', timeLimitMs: applyWork.timeoutMs, work: async () => applyWork, ends });
    if ('later' in answer || !answer.record || answer.record.ended !== undefined) return answer;
    await saveLedgerLine(here, jobScope, entry.tenure, run, ledger, { external: { ...answer.record, ended: clock.now() } });
    return answer;
  }

  /** What a queue does: what threw comes back after some seconds, or after those that it asked for. */
  async function comesBack<T>(work: () => Promise<T>): Promise<T | { later: number }> {
    const answer = await work().catch((error: unknown) => ({ later: (error as { seconds?: number }).seconds ?? 5 }));
    await judge();
    return answer;
  }

  return {
    clock,
    memory,
    bucket,
    runner,
    fate,
    broken,
    prepare,
    deliver,
    async toItsEnd(run, wanted) {
      for (let times = 0; times < mostDeliveries; times += 1) {
        const answer = await comesBack(() => deliver(run, wanted));
        if (answer === 'lock lost' || !('later' in answer)) return answer;
        clock.advance(answer.later * 1000);
      }
      throw new Error(`${run} has no answer after ${mostDeliveries} deliveries`);
    },
    async takeOver(run) {
      for (let times = 0; times < mostDeliveries; times += 1) {
        const answer = await comesBack(() => prepare(run));
        if (answer === true) return;
        clock.advance(answer === false ? 60_000 : answer.later * 1000);
      }
      throw new Error(`${run} never has the lease`);
    },
    release: async (run) => void (await releaseLease(world(), jobScope, run)),
    async ledger() {
      const found = await readLedgerLine(memory.table, jobScope, 'vpc');
      if (!found) throw new Error('there is no ledger line');
      return found;
    },
  };
}
