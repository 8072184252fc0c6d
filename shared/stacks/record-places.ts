import type { WriteGuard } from '../engine/bind.ts';
import type { Tenure } from '../lease/lease.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Clock } from '../ports/clock.ts';
import { Again } from '../run/again.ts';
import type { RunLine } from '../run/items.ts';
import { all, equal, has, lacks } from '../table/condition.ts';
import { lineKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { leftOf } from './left-job.ts';
import type { RecordPlace } from './tool-job.ts';
import type { ToolRecord } from './tool-record.ts';

interface PlaceWorld extends Writer {
  readonly clock: Clock;
  readonly timing: { readonly storeTimeout: number };
}

/** Of a job that may write: under whose lease, and over which ledger line as it was read. */
export interface UnderLease {
  readonly scope: string;
  readonly line: Pick<RunLine, 'run' | 'round' | 'phase' | 'spec'>;
  readonly tenure: Tenure;
  readonly guard: WriteGuard;
  readonly ledger: LedgerLine;
  /** Which of the line's stacks: the hash of its identity. */
  readonly stack?: string;
}

/** The ledger line, for a job that may write. Written with its fence and over its version, as all of it is (P4). */
export function ledgerPlace(world: PlaceWorld, at: UnderLease): RecordPlace {
  const { scope, line, tenure, guard, ledger, stack } = at;
  async function put(change: Parameters<typeof saveLedgerLine>[5]): Promise<RecordPlace> {
    await guard.beforeWrite(world.timing.storeTimeout);
    return ledgerPlace(world, { ...at, ledger: await saveLedgerLine(world, scope, tenure, line.run, ledger, change) });
  }
  return {
    found: ledger.external,
    of: { run: line.run, round: line.round, phase: line.phase, fence: tenure.fence, ...(stack === undefined ? {} : { stack }) },
    order: line.spec.order,
    save: (external) => put({ external }),
    leave(record, ended) {
      const now = world.clock.now();
      const left = leftOf(record, ended, now);
      return put({ external: { ...record, ended: now }, ...(left ? { left } : {}) });
    },
  };
}

/** The run's line, for a job that only plans: it needs no lease, and the first record of a round and phase stands. */
export function planPlace(world: PlaceWorld, line: RunLine): RecordPlace {
  async function save(tool: ToolRecord): Promise<RecordPlace> {
    const tries = line.again === undefined ? lacks('tries') : equal('tries', line.again.times);
    const sameWork = all(equal('round', line.round), equal('phase', line.phase), lacks('result'), tries);
    const unseen = tool.job === undefined ? lacks('tool') : has('tool');
    const saved = await write(world, lineKey(line.run, line.spec.id), { set: { tool } }, all(sameWork, unseen));
    if (!saved.won) throw new Again(`line ${line.spec.id} is being planned already`, 1);
    return planPlace(world, { ...line, tool });
  }
  const place: RecordPlace = {
    found: line.tool,
    of: { run: line.run, round: line.round, phase: line.phase },
    order: line.spec.order,
    save,
    // The record of other work went with that work: its job writes nothing, and ends by itself.
    leave: async () => place,
  };
  return place;
}
