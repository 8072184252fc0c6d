import { openEverySecret } from '../engine/run-secrets.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { readStops } from '../guard/stale.ts';
import { enterLease, type Tenure } from '../lease/lease.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { dropNotes, dropOpenRuns, ensureHead, type Head, readHead, saveHead, settledBy, withCommit } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { writtenByLine } from '../ledger/written-by.ts';
import { receiptKey, storeReceipt } from '../receipts/chain.ts';
import { noteWritten } from '../scans/note-written.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import { endRecorded } from '../stacks/end-recorded.ts';
import { isOpen } from '../stacks/tool-record.ts';
import { scopePath } from '../table/keys.ts';
import { reportOf, statusOf } from './assemble.ts';
import { awaitLease } from './await-lease.ts';
import { isCancelled } from './cancel.ts';
import { reportedDecisions } from './decided.ts';
import { close, wait } from './ending.ts';
import type { Run, RunLine } from './items.ts';
import { managedNow } from './managed.ts';
import { maskLines } from './mask-lines.ts';
import { orphansOf } from './orphans.ts';
import { planInputs } from './plan-inputs.ts';
import { publish, publishFencedOut } from './publish.ts';
import { isRemoval, type RunReport } from './report.ts';
import { storeReport } from './reports.ts';
import { logEvent } from './run-log.ts';
import { runAddress, runScope } from './run-scope.ts';
import { readLinesOfRound } from './run-store.ts';
import { withoutSharedNames } from './same-name.ts';
import { clearEmptyLines, settleIntents, settleOrphans } from './settle-ledger.ts';
import type { ControlWorld } from './world.ts';

/** Ends a plan: its report, no lease, no chain, no ledger. */
export async function settlePlan(world: ControlWorld, run: Run): Promise<void> {
  const { lines: planned } = await openRun(world, run);
  const lines = withoutSharedNames(planned);
  const { drift } = orphansOf(await readLedger(world.table, runScope(run)), lines);
  const report = world.redactor.maskJson(
    reportOf(run, { status: statusOf(run, lines), lines, inputs: planInputs(world, lines), managed: 0, finishedAt: iso(world), drift }),
  );
  const key = await storeReport(world, report);
  await publish(world, run, report);
  await close(world, run, report, key);
}

/**
 * Ends the round of an apply or destroy under its lease: intents, orphans, receipt, head, surfaces, and the lease last
 * (P4, P5). Every part may run twice.
 */
export async function settle(world: ControlWorld, run: Run): Promise<void> {
  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours && run.ending === undefined) return fencedOut(world, run, entry.lease?.holder ?? 'another run');
  // A run that ends on the way to its lines gave its lease back when it parked: whoever had it since fenced nothing of it out.
  const tenure = entry.ours ? entry.tenure : (await awaitLease(world, run))?.tenure;
  if (!tenure) return;
  const head = run.ending === undefined ? await readHead(world.table, scope) : await ensureHead(world, runAddress(run), tenure);
  if (!head) return fencedOut(world, run, 'nobody: the scope has no head');
  const { secrets, lines } = await openRun(world, run);
  const { ledger, unresolved } = await settleIntents(world, run, tenure, secrets);
  const atWork = ownJobs(run, ledger);
  if (atWork.length > 0) {
    await endRecorded(world, scope, tenure.fence, atWork);
    return settle(world, run);
  }
  // A plan that nobody let go on, or not to its end, wants nothing and unwants nothing; nor does a part of one.
  const asIs = isRemoval(run.kind) || run.ending !== undefined || isCancelled(run) || run.options.ticked !== undefined;
  const orphans = asIs ? { ledger, drift: [] } : await settleOrphans(world, run, tenure, ledger, lines);
  const decided = { stops: await readStops(world, run.id), ...approvalOf(run) };
  await record(world, run, tenure, head, orphans.ledger, settledReport(world, run, lines, { ...orphans, ...decided }, unresolved));
}

/** Lines whose tool is at work still, and whose own job died: when a run has settled, nothing of it writes any more (P9). */
export const ownJobs = (run: Run, ledger: readonly LedgerLine[]): LedgerLine[] => ledger.filter(({ external }) => isOpen(external) && external.run === run.id);

/**
 * The run's secrets and the lines of its round as they may be shown: the redactor must know every value before anything is stored. A run can
 * always record its end: a set that cannot be opened counts as none. Its lines were masked when they were stored, and without a credential no
 * provider is asked.
 */
export async function openRun(world: ControlWorld, run: Run): Promise<{ secrets: SecretSet; lines: readonly RunLine[] }> {
  const lines = await readLinesOfRound(world.table, run);
  try {
    const secrets = await openEverySecret(world, run, lines);
    return { secrets, lines: await maskLines(world, lines) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code !== 'SEAL_UNREADABLE') throw error;
    world.log.error('a run ends without its secrets', { run: run.id, code: problem.code });
    return { secrets: { references: {}, failures: {}, credentials: {} }, lines };
  }
}

/** What a gated run was let go on, or ended by: the digest it was about, and whose answers. Nothing where nobody had to decide. */
function approvalOf({ honoured, answers, question }: Run): Pick<RunReport, 'question' | 'decisions'> {
  const [asked, decisions] = answers ? [question, answers] : [honoured, honoured?.decisions ?? []];
  if (!asked || decisions.length === 0) return {};
  return { question: { digest: asked.digest, expiresAt: new Date(asked.expiresAt).toISOString() }, decisions: reportedDecisions(decisions) };
}

function settledReport(
  world: ControlWorld,
  run: Run,
  lines: readonly RunLine[],
  { ledger, drift, ...gate }: Awaited<ReturnType<typeof settleOrphans>> & Pick<RunReport, 'stops' | 'question' | 'decisions'>,
  unresolved?: Problem,
): RunReport {
  const managed = ledger.reduce((count, line) => count + line.entries.length, 0);
  const judged = unresolved ? 'failed' : (run.ending ?? statusOf(run, lines));
  const status = run.kind === 'destroy' && managed > 0 && judged === 'complete' ? 'failed' : judged;
  const problem = unresolved ? { problem: unresolved } : {};
  const left = {
    notUndone: notUndone(run, ledger),
    stays: stays(run, ledger),
    ...(run.round > 1 && !isRemoval(run.kind) ? { earlier: writtenByLine(run.id, ledger) } : {}),
  };
  return reportOf(run, { status, lines, managed, finishedAt: iso(world), drift, ...left, ...gate, ...problem });
}

/** What a run that a person stopped, or did not let go on, had written by then: it was approved, or wanted, and stays (P7). */
function stays(run: Run, ledger: readonly LedgerLine[]): string[] {
  if (run.kind !== 'apply' || (run.ending === undefined && !isCancelled(run))) return [];
  const entries = ledger.flatMap((line) => line.entries);
  const written = entries.filter((entry) => (entry.run === run.id && entry.createdBy === 'lockkeeper') || entry.updatedBy === run.id);
  return written.map(({ label }) => label);
}

/** What a run wrote over and a rollback does not bring back, named one by one (I2). */
function notUndone(run: Run, ledger: readonly LedgerLine[]): string[] {
  const entries = ledger.flatMap((line) => line.entries);
  const updated = entries.filter((entry) => entry.updatedBy === run.id);
  const sent = entries.filter((entry) => entry.action?.run === run.id);
  return [
    ...updated.map((entry) => (entry.foretells ? `${entry.label} (it may have been written)` : entry.label)),
    ...sent.map(({ label }) => `${label} (it was sent)`),
  ];
}

async function record(world: ControlWorld, run: Run, tenure: Tenure, head: Head, ledger: readonly LedgerLine[], unmasked: RunReport): Promise<void> {
  const scope = runScope(run);
  const report = world.redactor.maskJson(unmasked);
  const history =
    isRemoval(run.kind) || run.options.ticked?.box === 'repair' || isOvertaken(run, head)
      ? head.history
      : withCommit(head.history, run.commit, report.finishedAt);
  const path = scopePath(runAddress(run));
  const stored = await storeReceipt(
    world,
    { path, scope },
    { ...report, fence: tenure.fence, ledger, history, ...(head.tombstone ? { tombstone: head.tombstone } : {}) },
  );
  if (stored === 'lost') return fencedOut(world, run, 'another run');
  const key = receiptKey(path, run.id, run.round);
  await saveHead(world, scope, tenure, head, { history, ...settledBy(head, run.id, tenure.fence), receipt: key });
  await clearEmptyLines(world, run, tenure, ledger, report);
  await publish(world, run, report);
  if (report.status === 'partial') return wait(world, run, report, key);
  await dropNotes(world, scope, head.notes);
  await dropOpenRuns(world, scope, [run.id]);
  await noteWritten(world, run, report, ledger);
  await close(world, run, report, key);
}

/** Whether another run has settled since this one wrote anything: what was applied last is that run's commit. */
function isOvertaken({ id, ending, honoured, appliedUnder }: Run, { settled }: Head): boolean {
  return ending !== undefined && settled !== undefined && settled.run !== id && settled.fence > Math.max(honoured?.fence ?? 0, appliedUnder ?? 0);
}

/** Another run holds the lease: nothing more is written in the scope; intents and entries stay for it (P3). */
async function fencedOut(world: ControlWorld, run: Run, holder: string): Promise<void> {
  const { lines } = await openRun(world, run);
  const problem: Problem = { code: 'LOCK_LOST', message: `The lease ran out and went to ${holder}.` };
  const managed = await managedNow(world, run);
  const report = reportOf(run, { status: 'fenced-out', lines, managed, finishedAt: iso(world), problem });
  await logEvent(world, run, 'fenced out', { problem });
  await publishFencedOut(world, run, report, holder);
  await close(world, run, report, await storeReport(world, report));
}

const iso = (world: ControlWorld): string => new Date(world.clock.now()).toISOString();
