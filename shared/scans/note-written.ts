import type { LedgerLine } from '../ledger/entry.ts';
import type { Run } from '../run/items.ts';
import type { LineReport, RunReport } from '../run/report.ts';
import { runScope } from '../run/run-scope.ts';
import { readLinesOfRound } from '../run/run-store.ts';
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
  const clean = new Set(report.lines.filter((line) => isDone(line) && hasSeen(world, run, line)).map(({ id }) => id));
  const known = [...(await readAllDriftFound(world.table, scope)).values()].filter((one) => clean.has(one.line) && isOpen(one));
  if (known.length === 0) return;
  const wrote = new Map(ledger.map((line) => [line.line, line.lastRun]));
  const put = await putBack(world, run);
  await inBatches(known, (one) =>
    noteFound(world, scope, one.line, one, (before) => (before ? after(before, run, report.finishedAt, wrote.get(one.line), put) : undefined)),
  );
}

const isDone = ({ status }: LineReport): boolean => status === 'applied' || status === 'unchanged';

/** A stack whose tool plans from its state alone has seen nothing of what is live, unless it was asked to look (R2.10). */
function hasSeen({ registry }: Pick<ControlWorld, 'registry'>, { options }: Run, { adapter, op }: LineReport): boolean {
  const stack = registry.find(adapter, op)?.stack;
  return stack === undefined || stack.readsLive || options.ticked !== undefined;
}

/**
 * Addresses that a run which a tick started was about: what else of their lines was left as it is, edited or not. Undefined: it was about all of
 * every line.
 */
async function putBack({ table }: Pick<ControlWorld, 'table'>, run: Run): Promise<ReadonlySet<string> | undefined> {
  if (!run.options.ticked) return undefined;
  const lines = await readLinesOfRound(table, run);
  return new Set(lines.flatMap(({ spec }) => (spec.approved ?? []).map(({ address }) => address)));
}

function after(
  before: DriftFound,
  run: Run,
  at: string,
  wrote: string | undefined,
  put: ReadonlySet<string> | undefined,
): Omit<DriftFound, 'line' | 'version'> | undefined {
  if (before.at > at) return undefined;
  const lastRun = wrote ?? before.lastRun;
  const own = { run: run.id, at, ...(lastRun === undefined ? {} : { lastRun }) };
  const left = put === undefined ? [] : (before.drifted ?? []).filter(({ address }) => !put.has(address));
  if (left.length === 0) return { ...own, cleanAt: at };
  const here = new Set(left.map(({ fingerprint }) => fingerprint));
  const told = (before.told ?? []).filter((one) => here.has(one));
  const { cleanAt } = before;
  return { ...own, ...(cleanAt === undefined ? {} : { cleanAt }), drifted: left, ...(told.length > 0 ? { told } : {}) };
}

const isOpen = ({ drifted, failed, told }: DriftFound): boolean => drifted !== undefined || failed !== undefined || told !== undefined;
