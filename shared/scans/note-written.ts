import type { LedgerLine } from '../ledger/entry.ts';
import type { Run } from '../run/items.ts';
import type { RunReport } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { inBatches } from '../table/in-batches.ts';
import { type DriftFound, readAllDriftFound } from './found.ts';
import { noteFound } from './note-found.ts';

/**
 * An apply has read every line right before it wrote it: what it left as the plan wants it has not drifted, and is not read again (R2.3, R2.4). Of
 * lines that it refused, left as a person accepted, or did not come to, earlier findings stand.
 */
export async function noteWritten(world: ControlWorld, run: Run, report: RunReport, ledger: readonly LedgerLine[]): Promise<void> {
  if (!run.watched || report.kind !== 'apply') return;
  const scope = runScope(run);
  const wrote = new Map(ledger.map((line) => [line.line, line.lastRun]));
  const clean = new Set(report.lines.filter(({ status }) => status === 'applied' || status === 'unchanged').map(({ id }) => id));
  const known = [...(await readAllDriftFound(world.table, scope)).values()].filter((one) => clean.has(one.line) && isOpen(one));
  await inBatches(known, (one) =>
    noteFound(world, scope, one.line, one, (before) => {
      if (!before || before.at > report.finishedAt) return undefined;
      const lastRun = wrote.get(one.line) ?? before.lastRun;
      return { run: run.id, at: report.finishedAt, cleanAt: report.finishedAt, ...(lastRun === undefined ? {} : { lastRun }) };
    }),
  );
}

const isOpen = ({ drifted, failed, told }: DriftFound): boolean => drifted !== undefined || failed !== undefined || told !== undefined;
