import { entryCalls } from '../engine/entry-call.ts';
import { openSecrets } from '../engine/inputs.ts';
import { resolveIntents } from '../engine/intents.ts';
import { LockkeeperError, type Problem, problemOf } from '../errors/error.ts';
import { enterLease, type Tenure } from '../lease/lease.ts';
import { dropClaim, readClaim } from '../ledger/claim.ts';
import { type Entry, isIntent, type LedgerLine } from '../ledger/entry.ts';
import { addOpenRun, dropNotes, dropOpenRuns, type Head, readHead, saveHead, withCommit } from '../ledger/head.ts';
import { readLedger, removeLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import { receiptKey, storeReceipt } from '../receipts/chain.ts';
import { always, present } from '../table/condition.ts';
import { lineKey, scopePath, sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { reportOf, statusOf } from './assemble.ts';
import { deadline } from './deadline.ts';
import type { Run, RunLine } from './items.ts';
import { orphansOf } from './orphans.ts';
import { publish } from './publish.ts';
import { releaseAndWake } from './release.ts';
import type { RunReport } from './report.ts';
import { storeReport } from './reports.ts';
import { resumeRun } from './resume.ts';
import { logEvent } from './run-log.ts';
import { runAddress, runScope } from './run-scope.ts';
import { readRunLines, saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** Ends a plan: its report, no lease, no chain, no ledger. */
export async function settlePlan(world: ControlWorld, run: Run): Promise<void> {
  const lines = await readRunLines(world.table, run.id);
  const report = reportOf(run, { status: statusOf(run, inPlanOrder(run, lines)), lines: inPlanOrder(run, lines), managed: 0, finishedAt: iso(world) });
  await close(world, run, report, await storeReport(world, report));
}

/**
 * Ends the round of an apply or destroy under its lease: intents, orphans, receipt, head, surfaces, and the lease last
 * (P4, P5). Every part may run twice.
 */
export async function settle(world: ControlWorld, run: Run): Promise<void> {
  const scope = runScope(run);
  const entry = await enterLease(world, scope, run.id);
  if (!entry.ours) return fencedOut(world, run, entry.lease?.holder ?? 'another run');
  const head = await readHead(world.table, scope);
  if (!head) return fencedOut(world, run, 'nobody: the scope has no head');
  const lines = inPlanOrder(run, await readRunLines(world.table, run.id));
  const { ledger, unresolved } = await settleIntents(world, run, entry.tenure);
  const orphans = run.kind === 'destroy' ? { ledger, drift: [] } : await settleOrphans(world, run, entry.tenure, ledger, lines);
  const status = unresolved ? 'failed' : statusOf(run, lines);
  const managed = orphans.ledger.reduce((count, line) => count + line.entries.length, 0);
  const report = reportOf(run, { status, lines, managed, finishedAt: iso(world), drift: orphans.drift, ...(unresolved ? { problem: unresolved } : {}) });
  await record(world, run, entry.tenure, head, orphans.ledger, report);
}

async function record(world: ControlWorld, run: Run, tenure: Tenure, head: Head, ledger: readonly LedgerLine[], report: RunReport): Promise<void> {
  const scope = runScope(run);
  const history = run.kind === 'destroy' ? head.history : withCommit(head.history, run.commit, report.finishedAt);
  const receipt = { ...world.redactor.maskJson(report), fence: tenure.fence, ledger, history };
  const path = scopePath(runAddress(run));
  const stored = await storeReceipt(world, { path, scope }, receipt);
  if (stored === 'lost') return fencedOut(world, run, 'another run');
  const key = receiptKey(path, run.id, run.round);
  await saveHead(world, scope, tenure, head, { history, settled: { run: run.id, fence: tenure.fence }, receipt: key });
  for (const line of ledger.filter((one) => one.entries.length === 0 && !hasWork(one, report))) await removeLedgerLine(world, scope, tenure, line);
  await forgetSecrets(world, run);
  await publish(world, run, report);
  if (report.status === 'partial') return wait(world, run, report, key);
  await dropNotes(world, scope, head.notes);
  await dropOpenRuns(world, scope, [run.id]);
  await close(world, run, report, key);
}

/** A line of the plan keeps its empty item: the next run writes into it without an insert. */
const hasWork = (line: LedgerLine, report: RunReport): boolean => report.kind === 'apply' && report.lines.some((one) => one.id === line.line);

/**
 * A round that waits: noted as open, its lease given back, and the head's notes looked at once more, because the event may
 * have come while nobody waited for it (P5).
 */
async function wait(world: ControlWorld, run: Run, report: RunReport, key: string): Promise<void> {
  const scope = runScope(run);
  await addOpenRun(world, scope, run.id);
  const lines = await readRunLines(world.table, run.id);
  const resumeAt = lines.flatMap((line) => line.result?.resumeAt ?? []).sort((a, b) => a - b)[0];
  const timed = resumeAt === undefined ? {} : { resumeAt, since: new Date(resumeAt).toISOString() };
  const change = {
    phase: 'waiting' as const,
    outcome: report.status,
    report: key,
    status: 'waiting',
    step: { attempt: run.step?.attempt ?? 0, until: 0 },
    ...timed,
  };
  const waiting = await saveRun(world, run, change, resumeAt === undefined ? ['since', 'resumeAt'] : []);
  await logEvent(world, run, 'settled', { detail: report.status });
  await releaseAndWake(world, run);
  const head = await readHead(world.table, scope);
  if (waiting && head && head.notes.length > 0) await resumeRun(world, waiting);
}

/** The final status, then the lease: the release is the last write of the step (P3). */
export async function close(world: ControlWorld, run: Run, report: RunReport, key: string): Promise<void> {
  const retryAt = retryOf(world, run, report);
  const due = retryAt === undefined ? {} : { since: new Date(retryAt).toISOString(), resumeAt: retryAt };
  const change = {
    phase: 'done' as const,
    outcome: report.status,
    report: key,
    status: report.status,
    step: { attempt: run.step?.attempt ?? 0, until: 0 },
    ...due,
  };
  await saveRun(world, run, { ...change, ...(report.problem ? { problem: report.problem } : {}) }, retryAt === undefined ? ['since', 'cursor'] : ['cursor']);
  await logEvent(world, run, 'settled', { detail: report.status });
  await announce(world, report);
  await releaseAndWake(world, run);
}

/** Tells the bus that a run has ended. Nobody decides by it, so a bus that does not answer costs a line in the log. */
async function announce(world: ControlWorld, { run, kind, status, repository, environment, scope, commit }: RunReport): Promise<void> {
  try {
    await world.bus.announce('run.settled', { run, kind, status, repository, environment, scope, commit });
  } catch (error) {
    world.log.warn('the end of a run was not announced', { run, code: problemOf(error).code });
  }
}

/** A destroy that failed is tried again by the sweep, less and less often, at most daily (P4). */
function retryOf(world: ControlWorld, run: Run, report: RunReport): number | undefined {
  if (report.kind !== 'destroy' || report.status !== 'failed' || run.pullRequest === undefined) return undefined;
  const quarterHours = Math.min(96, 2 ** Math.min(run.round - 1, 7));
  return world.clock.now() + quarterHours * 15 * 60_000;
}

/** Another run holds the lease: nothing more is written in the scope; intents and entries stay for it (P3). */
async function fencedOut(world: ControlWorld, run: Run, holder: string): Promise<void> {
  const lines = inPlanOrder(run, await readRunLines(world.table, run.id));
  const problem: Problem = { code: 'LOCK_LOST', message: `The lease ran out and went to ${holder}.` };
  const report = reportOf(run, { status: 'fenced-out', lines, managed: 0, finishedAt: iso(world), problem });
  await forgetSecrets(world, run);
  await logEvent(world, run, 'fenced out', { problem });
  await close(world, run, report, await storeReport(world, report));
}

/** Resolves every intent left in the scope, also of lines the plan no longer has (P4). What cannot be asked stays, and fails the run. */
async function settleIntents(world: ControlWorld, run: Run, tenure: Tenure): Promise<{ ledger: LedgerLine[]; unresolved?: Problem }> {
  const scope = runScope(run);
  const ledger = await readLedger(world.table, scope);
  if (!ledger.some((line) => line.entries.some(isIntent))) return { ledger };
  const secrets = await openSecrets(world, run);
  const guard = deadline(world.clock, run.step?.until ?? 0, tenure.deadline);
  let unresolved: Problem | undefined;
  const resolved: LedgerLine[] = [];
  for (const line of ledger) {
    const callOf = entryCalls(world, run, line.line, secrets, guard);
    try {
      resolved.push(await resolveIntents({ world, run, scope, tenure, guard, ledger: line, callOf }));
    } catch (error) {
      if (!(error instanceof LockkeeperError) || error.code === 'STORE_UNREACHABLE') throw error;
      unresolved ??= {
        code: 'INTENT_UNRESOLVED',
        message: `An interrupted create of line ${line.line} could not be looked for: ${world.redactor.mask(error.message)}`,
      };
      resolved.push(line);
    }
  }
  return unresolved ? { ledger: resolved, unresolved } : { ledger: resolved };
}

/** Marks what no line wants any more, and forgets what was only adopted (R1.61). */
async function settleOrphans(world: ControlWorld, run: Run, tenure: Tenure, ledger: readonly LedgerLine[], lines: readonly RunLine[]) {
  const scope = runScope(run);
  const found = orphansOf(ledger, lines);
  const settled: LedgerLine[] = [];
  for (const line of ledger) {
    const next = found.entries.get(line.line);
    if (!next) {
      settled.push(line);
      continue;
    }
    const dropped = line.entries.filter((entry) => !next.some((kept) => kept.key === entry.key));
    const claims = await Promise.all(dropped.map((entry) => readClaim(world, entry)));
    settled.push(await saveLedgerLine(world, scope, tenure, run.id, line, { entries: next }));
    await dropClaims(world, scope, line.line, dropped, claims);
  }
  return { ledger: settled, drift: found.drift };
}

async function dropClaims(
  world: ControlWorld,
  scope: string,
  line: string,
  entries: readonly Entry[],
  claims: readonly Awaited<ReturnType<typeof readClaim>>[],
): Promise<void> {
  for (const [at, entry] of entries.entries()) {
    const claim = claims[at];
    if (claim?.scope === scope && claim.line === line) await dropClaim(world, entry, claim);
  }
}

/** Sealed values live no longer than the round that needed them. */
async function forgetSecrets(world: ControlWorld, run: Run): Promise<void> {
  await write(world, sealedKey(run.id), { delete: true }, always);
  const lines = await readRunLines(world.table, run.id);
  const sealed = lines.filter((line) => line.sealed !== undefined);
  await Promise.all(sealed.map((line) => write(world, lineKey(run.id, line.spec.id), { remove: ['sealed'] }, present)));
}

function inPlanOrder(run: Run, lines: readonly RunLine[]): RunLine[] {
  return lines.filter((line) => line.round === run.round).sort((a, b) => a.spec.order - b.spec.order);
}

const iso = (world: ControlWorld): string => new Date(world.clock.now()).toISOString();
