import { findEffects } from '../approvals/effects-document.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import type { Run } from '../run/items.ts';
import type { LineReport, RunReport } from '../run/report.ts';
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
  const isWhole = await seenWhole(world, run);
  const clean = new Set(report.lines.filter((line) => (line.status === 'applied' || line.status === 'unchanged') && isWhole(line)).map(({ id }) => id));
  const known = [...(await readAllDriftFound(world.table, scope)).values()].filter((one) => clean.has(one.line) && isOpen(one));
  await inBatches(known, (one) =>
    noteFound(world, scope, one.line, one, (before) => {
      if (!before || before.at > report.finishedAt) return undefined;
      const lastRun = wrote.get(one.line) ?? before.lastRun;
      return { run: run.id, at: report.finishedAt, cleanAt: report.finishedAt, ...(lastRun === undefined ? {} : { lastRun }) };
    }),
  );
}

/**
 * Whether a run says of a line as a whole that it is as the plan wants it. One that a tick started leaves what was not ticked as it is: other
 * lines, of which it only looked at what they give, and other resources of the same line.
 */
async function seenWhole({ objects }: Pick<ControlWorld, 'objects'>, { options: { ticked } }: Run): Promise<(line: LineReport) => boolean> {
  if (ticked === undefined) return () => true;
  // Where that cannot be read, earlier findings stand until the next scan: a run can always record its end.
  const shown = new Set((await findEffects(objects, ticked.digest).catch(() => [])).map(({ id }) => id));
  return ({ id, notes }) => shown.has(id) && notes?.['left'] === undefined;
}

const isOpen = ({ drifted, failed, told }: DriftFound): boolean => drifted !== undefined || failed !== undefined || told !== undefined;
