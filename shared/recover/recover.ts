import { type Problem, problemOf } from '../errors/error.ts';
import { grantLease, type Tenure } from '../lease/lease.ts';
import { type Head, readHead, saveHead, settledBy } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { receiptKey, storeReceipt } from '../receipts/chain.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { Again } from '../run/again.ts';
import { reportOf } from '../run/assemble.ts';
import { closeEarly } from '../run/close-early.ts';
import { deadline } from '../run/deadline.ts';
import { close } from '../run/ending.ts';
import type { Run } from '../run/items.ts';
import { managedNow } from '../run/managed.ts';
import type { Recovery } from '../run/report.ts';
import { storeReport } from '../run/reports.ts';
import { logEvent } from '../run/run-log.ts';
import { runAddress, runScope } from '../run/run-scope.ts';
import { leaseHeld } from '../run/take-lease.ts';
import type { ControlWorld } from '../run/world.ts';
import { inBatches } from '../table/in-batches.ts';
import { scopePath } from '../table/keys.ts';
import { type GoodReceipt, goodReceipt } from './good-receipt.ts';
import { foresee, kept, type Restoring, restoreHead, restoreLine } from './restore.ts';
import { type Survey, survey } from './survey.ts';

/**
 * Rebuilds what the table lost of a scope from its newest good receipt. It shows first what it would do and writes nothing; told to do it, it
 * works under the lease, whose fence goes on above the receipt's and above every fence that is left, and ends with a receipt of its own.
 */
export async function recover(world: ControlWorld, run: Run): Promise<void> {
  try {
    const good = await goodReceipt(world.objects, scopePath(runAddress(run)));
    await (run.options.confirmed ? rebuild(world, run, good) : show(world, run, good));
  } catch (error) {
    const problem = problemOf(error);
    if (!['NOT_FOUND', 'RECEIPT_CORRUPT', 'RECEIPT_VERSION'].includes(problem.code)) throw error;
    await closeEarly(world, run, 'failed', problem.message, problem);
  }
}

async function show(world: ControlWorld, run: Run, good: GoodReceipt): Promise<void> {
  const left = await survey(world.table, runScope(run));
  const lines = await inBatches(dueOf(good, left), (line) => foresee({ world, at: runAddress(run) }, line, left.lines.get(line.line) ?? { is: 'gone' }));
  const recovery: Recovery = { dry: true, ...recoveryOf(good, left), lines: [...lines, ...beside(good, left)] };
  const report = reportOf(withChain(run, good), { status: 'complete', lines: [], managed: await managedNow(world, run), finishedAt: iso(world), recovery });
  await close(world, run, report, await storeReport(world, world.redactor.maskJson(report)));
}

async function rebuild(world: ControlWorld, run: Run, good: GoodReceipt): Promise<void> {
  const scope = runScope(run);
  const { fence } = await survey(world.table, scope);
  const grant = await grantLease(world, scope, run.id, { floor: Math.max(good.receipt.fence, fence) });
  if (!grant.granted) return closeEarly(world, run, 'failed', 'The lease is held.', leaseHeld(grant.lease));
  const left = await survey(world.table, scope);
  const guard = deadline(world.clock, run.step?.until ?? 0, grant.tenure.deadline);
  const job: Restoring = { world, run: run.id, at: runAddress(run), tenure: grant.tenure, guard };
  await restoreHead(job, good.receipt, left.head);
  const lines: Recovery['lines'][number][] = [];
  for (const line of dueOf(good, left)) lines.push(await restoreLine(job, line, left.lines.get(line.line) ?? { is: 'gone' }));
  const recovery: Recovery = { dry: false, ...recoveryOf(good, left), lines: [...lines, ...beside(good, left)] };
  await record(world, run, good, grant.tenure, recovery);
}

/** The receipt of the recovery is linked over whatever lies on top, by its bytes. A ledger that still cannot be read has none. */
async function record(world: ControlWorld, run: Run, good: GoodReceipt, tenure: Tenure, recovery: Recovery): Promise<void> {
  const [scope, path] = [runScope(run), scopePath(runAddress(run))];
  const ledger = await readLedger(world.table, scope);
  const head = await readHead(world.table, scope);
  if (!head) throw new Again('the head that was just written is not there', 1);
  const managed = ledger.reduce((count, line) => count + line.entries.length, 0);
  const report = world.redactor.maskJson(reportOf(withChain(run, good), { status: 'complete', lines: [], managed, finishedAt: iso(world), recovery }));
  const stored = await storeReceipt(world, { path, scope, overDamaged: true }, { ...report, fence: tenure.fence, ledger, ...rememberedOf(head) });
  if (stored === 'lost') throw new Again('the lease ran out', 1);
  const key = receiptKey(path, run.id, run.round);
  await saveHead(world, scope, tenure, head, { ...settledBy(head, run.id, tenure.fence), receipt: key });
  await logEvent(world, run, 'settled', { detail: `recovered from the receipt of run ${good.receipt.run}` });
  await close(world, run, report, key);
}

/** What only the head knows, so that the next recovery finds it in the receipt of this one. */
function rememberedOf({ history, tombstone, supersededBy }: Head): Pick<Receipt, 'history' | 'tombstone' | 'supersededBy'> {
  return { history, ...(tombstone ? { tombstone } : {}), ...(supersededBy?.told ? { supersededBy: supersededBy.scope } : {}) };
}

/** A line that held nothing then and is gone now was cleared away. */
const dueOf = ({ receipt }: GoodReceipt, { lines }: Survey) => receipt.ledger.filter(({ line, entries }) => entries.length > 0 || lines.has(line));

const recoveryOf = ({ receipt, skipped }: GoodReceipt, { head }: Survey): Pick<Recovery, 'from' | 'skipped' | 'head'> => ({
  from: { run: receipt.run, round: receipt.round, at: receipt.finishedAt, fence: receipt.fence },
  skipped,
  head: head.is === 'there' ? 'keep' : 'restore',
});

/** Lines that the receipt does not know: newer than it, and left; or damaged, and beyond recovery. */
function beside({ receipt }: GoodReceipt, { lines }: Survey): Recovery['lines'] {
  const known = new Set(receipt.ledger.map(({ line }) => line));
  return [...lines].flatMap(([line, found]): Recovery['lines'] => {
    if (known.has(line)) return [];
    return found.is === 'there' ? [kept(found.value)] : [{ line, does: 'lost', resources: [], foreign: [] }];
  });
}

function withChain(run: Run, { broken }: GoodReceipt): Run {
  const warning: Problem[] = broken === undefined ? [] : [{ code: 'RECEIPT_CORRUPT', message: `The chain of receipts has a fault: ${broken}.` }];
  return { ...run, kind: 'recover', warnings: [...(run.warnings ?? []), ...warning] };
}

const iso = (world: ControlWorld): string => new Date(world.clock.now()).toISOString();
