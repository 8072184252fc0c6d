import { contextOf, maskProblem, opOf } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { grantLease, type Lease, type Tenure, waitForLease } from '../lease/lease.ts';
import { dropNotes, ensureHead, type Head, readHead, saveHead } from '../ledger/head.ts';
import { createLedgerLine, readLedger } from '../ledger/ledger-line.ts';
import type { ActiveLine } from '../plan/types.ts';
import { resolveAccounts } from './accounts.ts';
import { Again } from './again.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import type { LinePhase, LineSpec, Run } from './items.ts';
import { type LoadedPlan, loadPlan, refuseProtected } from './load-plan.ts';
import { type PhaseLine, putPhaseItems, queueStep, swapPhase } from './phase.ts';
import { publishStart } from './publish.ts';
import { logEvent } from './run-log.ts';
import { runAddress, runScope } from './run-scope.ts';
import { claimMargin, freeStep, type RunChange, saveRun } from './run-store.ts';
import { sealSecrets } from './seal-secrets.ts';
import { supersedeOpenRuns } from './supersede.ts';
import type { ControlWorld } from './world.ts';
import { judgeAge, judgeWorld } from './world-judgement.ts';

/**
 * The first control step of a round. Whatever was judged before the lease is judged again under it, and nothing is read
 * from the ledger before the lease is sealed (P3).
 */
export async function prepare(world: ControlWorld, run: Run): Promise<void> {
  if (run.intent === 'plan') return preparePlan(world, run);
  const early = await judgeWorld(world, run);
  if (early.is === 'superseded' || early.is === 'stale') return closeEarly(world, run, early.is, early.why);
  if (early.is === 'destroy') return prepareDestroy(world, run);
  return prepareApply(world, run);
}

async function preparePlan(world: ControlWorld, run: Run): Promise<void> {
  const loaded = await loadOrEnd(world, run);
  if (!loaded) return;
  const head = await readHead(world.table, runScope(run));
  const age = head ? await judgeAge(world, run, head) : undefined;
  const stale: Problem[] = age?.is === 'stale' ? [{ code: 'STALE', message: age.why }] : [];
  await prepareLines(world, run, loaded, 'planning', { kind: 'plan', warnings: [...loaded.warnings, ...stale] });
}

async function prepareApply(world: ControlWorld, run: Run): Promise<void> {
  const loaded = await loadOrEnd(world, run, refuseProtected);
  if (!loaded) return;
  const held = await takeLease(world, run);
  if (!held) return;
  const judged = await judgeWorld(world, run);
  if (judged.is === 'superseded' || judged.is === 'stale') return closeEarly(world, run, judged.is, judged.why);
  if (judged.is === 'destroy') return prepareDestroy(world, run);

  const head = await ensureHead(world, runAddress(run), held.tenure);
  const age = await judgeAge(world, run, head);
  if (age.is === 'stale') return closeEarly(world, run, 'stale', age.why);
  await lookAtHead(world, run, held.tenure, head);
  const tookOver = held.tookOver === undefined ? {} : { tookOver: held.tookOver };
  await publishStart(world, { ...run, kind: 'apply' });
  await prepareLines(world, run, loaded, 'applying', { kind: 'apply', warnings: [...(run.warnings ?? []), ...loaded.warnings], ...tookOver }, held.tenure);
}

/** Reads the plan; a mistake in it, or a refusal, ends the run before anything else happens (R1.42). */
async function loadOrEnd(
  world: ControlWorld,
  run: Run,
  judge: (world: ControlWorld, run: Run, lines: readonly ActiveLine[]) => void = () => {},
): Promise<LoadedPlan | undefined> {
  try {
    const loaded = await loadPlan(world, run);
    judge(world, run, loaded.lines);
    return loaded;
  } catch (error) {
    const problem = problemOf(error);
    if (!endsTheRun(problem)) throw error;
    await closeEarly(world, run, 'failed', problem.message, maskProblem(world, problem));
    return undefined;
  }
}

/** Mistakes of the plan and refusals end the run; a host or store that does not answer is tried again. */
const endsTheRun = (problem: Problem): boolean =>
  !['INTERNAL', 'CODE_HOST', 'STORE_UNREACHABLE'].includes(problem.code) && !problem.code.startsWith('PROVIDER_');

/** The older waiting runs of the scope end here, the tombstone of a past destroy is lifted, and notes read now are used up. */
async function lookAtHead(world: ControlWorld, run: Run, tenure: Tenure, head: Head): Promise<void> {
  const scope = runScope(run);
  await supersedeOpenRuns(world, run, head.openRuns);
  await dropNotes(world, scope, head.notes);
  if (head.tombstone) await saveHead(world, scope, tenure, head, {}, ['tombstone']);
}

async function prepareDestroy(world: ControlWorld, run: Run): Promise<void> {
  const scope = runScope(run);
  if (!(await readHead(world.table, scope))) return closeEarly(world, { ...run, kind: 'destroy' }, 'complete', 'There is nothing to remove.');
  const held = await takeLease(world, run);
  if (!held) return;
  const judged = await judgeWorld(world, run);
  if (judged.is !== 'destroy') return backToStart(world, run);
  const head = (await readHead(world.table, scope)) as Head;
  const ledger = await readLedger(world.table, scope);
  const lines = destroyLines(ledger);
  const problem = protectedEntries(run, ledger);
  if (problem) return closeEarly(world, { ...run, kind: 'destroy' }, 'failed', problem.message, problem);

  await supersedeOpenRuns(world, run, head.openRuns);
  const at = new Date(world.clock.now()).toISOString();
  await saveHead(world, scope, held.tenure, head, { tombstone: { run: run.id, at } });
  await sealSecrets(
    world,
    run,
    [],
    ledger.flatMap((line) => line.entries),
  );
  await enter(world, run, 'applying', lines, { kind: 'destroy', ...(held.tookOver === undefined ? {} : { tookOver: held.tookOver }) });
}

/** A pull request that was opened again meanwhile: the same run starts over as what it is now. */
async function backToStart(world: ControlWorld, run: Run): Promise<void> {
  await freeStep(world, run);
  await queueStep(world, run);
}

function protectedEntries(run: Run, ledger: readonly { line: string; writes?: string; entries: readonly unknown[] }[]): Problem | undefined {
  const writing = ledger.filter((line) => line.entries.length > 0 && (run.environment === 'production' || line.writes === 'production'));
  if (writing.length === 0) return undefined;
  return {
    code: 'ENV_NOT_APPROVED',
    message: `Removing line ${writing.map((line) => line.line).join(', ')} would write in production, which nobody has approved.`,
  };
}

async function prepareLines(world: ControlWorld, run: Run, loaded: LoadedPlan, phase: LinePhase, change: RunChange, tenure?: Tenure): Promise<void> {
  const ledger = tenure ? await readLedger(world.table, runScope(run)) : [];
  const secrets = await sealSecrets(
    world,
    run,
    loaded.lines,
    ledger.flatMap((line) => line.entries),
  );
  const accounts = await resolveAccounts(world, run, loaded.lines, secrets);
  const lines = loaded.lines.map((line, order): PhaseLine => ({ spec: specOf(world, run, line, order, accounts.get(line.id)), after: line.needs }));
  const known = new Set(ledger.map((line) => line.line));
  const alsoPut = tenure ? (spec: LineSpec) => (known.has(spec.id) ? Promise.resolve() : newLedgerLine(world, run, tenure, spec)) : undefined;
  await enter(world, run, phase, lines, { ...change, plan: { ...run.plan, hash: loaded.hash } }, alsoPut);
}

function newLedgerLine(world: ControlWorld, run: Run, tenure: Tenure, { id, adapter, op, needs, writes }: LineSpec): Promise<void> {
  return createLedgerLine(world, runScope(run), tenure, run.id, { line: id, adapter, op, needs, ...(writes === undefined ? {} : { writes }) });
}

function specOf(world: ControlWorld, run: Run, line: ActiveLine, order: number, account: Readonly<Record<string, string>> | undefined): LineSpec {
  const { id, adapter, op, params, provider, needs } = line;
  const writes = opOf(world, line).writesEnvironment(params, provider, contextOf(run));
  const spec = { id, order, adapter, op, params, provider: provider as LineSpec['provider'], needs, dependants: [] };
  return { ...spec, ...(account === undefined ? {} : { account }), ...(writes === undefined ? {} : { writes }) };
}

/** Items, then the swap, then the queue (P2). A step whose time is up keeps its place and queues itself again. */
async function enter(
  world: ControlWorld,
  run: Run,
  phase: LinePhase,
  lines: readonly PhaseLine[],
  change: RunChange,
  alsoPut?: (spec: LineSpec) => Promise<void>,
): Promise<void> {
  const half = (run.step?.until ?? 0) - claimMargin - world.timing.functionTimeout / 2;
  const next = await putPhaseItems(world, run, phase, run.round, lines, run.cursor ?? 0, () => world.clock.now() < half, alsoPut);
  if (next !== undefined) {
    const saved = await saveRun(world, run, { cursor: next });
    if (saved) await freeStep(world, saved);
    return queueStep(world, run);
  }
  const swapped = await swapPhase(world, run, phase, change);
  if (!swapped) throw new Again('the run moved on meanwhile', 0);
  await logEvent(world, swapped, swapped.tookOver ? 'took over' : 'prepared', { detail: `${lines.length} lines` });
  if (lines.length === 0) await queueStep(world, swapped);
}

/** The lease, or undefined when the step ends here: busy, and the run waits for it or ends. */
async function takeLease(world: ControlWorld, run: Run): Promise<{ tenure: Tenure; tookOver?: string } | undefined> {
  for (;;) {
    const grant = await grantLease(world, runScope(run), run.id);
    if (grant.granted) return grant.tookOver === undefined ? { tenure: grant.tenure } : { tenure: grant.tenure, tookOver: grant.tookOver };
    if (run.options.busy === 'fail') {
      await closeEarly(world, run, 'failed', 'The lease is held.', leaseHeld(grant.lease));
      return undefined;
    }
    if ((await waitForLease(world, runScope(run), run.id, grant.lease)) === 'free') continue;
    await logEvent(world, run, 'waiting for the lease', { detail: `held by ${grant.lease.holder}` });
    await freeStep(world, run);
    const seconds = (grant.lease.expiresAt + world.timing.skew - world.clock.now()) / 1000 + 1;
    await queueStep(world, run, Math.min(900, Math.max(1, Math.ceil(seconds))));
    return undefined;
  }
}

function leaseHeld(lease: Lease): Problem {
  const [since, until] = [lease.grantedAt, lease.expiresAt].map((at) => new Date(at).toISOString());
  return {
    code: 'LOCK_HELD',
    message: `Run ${lease.holder} has held the lease since ${since}, until ${until} at the latest.`,
    details: { holder: lease.holder, since, until },
  };
}
