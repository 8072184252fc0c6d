import { grantLease, type Tenure } from '../lease/lease.ts';
import { type Head, readHead, saveHead, settledBy } from '../ledger/head.ts';
import { readLedger, removeLedgerLine } from '../ledger/ledger-line.ts';
import { receiptKey, storeReceipt } from '../receipts/chain.ts';
import { Again } from '../run/again.ts';
import { reportOf } from '../run/assemble.ts';
import { deadline } from '../run/deadline.ts';
import type { Run } from '../run/items.ts';
import { releaseAndWake } from '../run/release.ts';
import { logEvent } from '../run/run-log.ts';
import { runScope } from '../run/run-scope.ts';
import { supersedeOpenRuns } from '../run/supersede.ts';
import type { ControlWorld } from '../run/world.ts';
import { inBatches } from '../table/in-batches.ts';
import { type ScopeAddress, scopeKey, scopePath } from '../table/keys.ts';
import { handOverLine, type Side } from './hand-over.ts';
import { predecessorOf } from './predecessor.ts';

/**
 * A pull request takes over what the scope of its head branch manages, before its lines are worked on: entry by entry, under both leases,
 * the own one first (P4, R1.30, R1.97). A predecessor that is busy is left: what it holds is somebody else's for this run, relied on or
 * refused, and the next run of the pull request asks again.
 *
 *     head: superseded ─▶ each line handed over ─▶ its waiting runs end ─▶ receipt linked in the old chain ─▶ head: told ─▶ lease back
 *
 * Every part may run twice.
 */
export async function takeOver(world: ControlWorld, run: Run, tenure: Tenure): Promise<void> {
  const from = await predecessorOf(world, run);
  if (!from || !(await isDue(world, run, from))) return;
  const scope = scopeKey(from);
  const grant = await grantLease(world, scope, run.id);
  if (!grant.granted) return logEvent(world, run, 'inherited', { detail: `nothing of ${from.scope} yet: run ${grant.lease.holder} is at work there` });
  const moved = await handOverAll(world, run, { scope: runScope(run), tenure }, { scope, tenure: grant.tenure });
  await supersedeOpenRuns(world, run, ((await readHead(world.table, scope)) as Head).openRuns, scope);
  await tell(world, run, from, grant.tenure);
  await releaseAndWake(world, run, scope);
  await logEvent(world, run, 'inherited', { detail: `${moved} resources of ${from.scope}` });
}

/**
 * Whether the scope holds anything, or its chain of receipts has not been told that it is superseded. A round takes over once, since its
 * receipt there is written once; one that died after the last of it gives the lease back.
 */
async function isDue(world: ControlWorld, run: Run, from: ScopeAddress): Promise<boolean> {
  const scope = scopeKey(from);
  const { supersededBy } = (await readHead(world.table, scope)) as Head;
  const isToBeTold = supersededBy?.scope === run.scope && !supersededBy.told;
  if (isToBeTold) return true;
  if (supersededBy?.run !== run.id || supersededBy.round !== run.round) return (await readLedger(world.table, scope)).some((line) => line.entries.length > 0);
  await releaseAndWake(world, run, scope);
  return false;
}

async function handOverAll(world: ControlWorld, run: Run, to: Side, from: Side): Promise<number> {
  const guard = deadline(world.clock, run.step?.until ?? 0, to.tenure.deadline, from.tenure.deadline);
  const head = (await readHead(world.table, from.scope)) as Head;
  guard.beforeWrite(world.timing.storeTimeout);
  const supersededBy = { scope: run.scope, run: run.id, round: run.round, at: new Date(world.clock.now()).toISOString() };
  await saveHead(world, from.scope, from.tenure, head, { supersededBy });
  let moved = 0;
  for (const line of await readLedger(world.table, from.scope)) moved += await handOverLine({ world, run: run.id, from, to, guard }, line);
  return moved;
}

/** The old scope's receipt says what it still manages and who has the rest; then its head does. Its emptied lines go last, as after any run. */
async function tell(world: ControlWorld, run: Run, from: ScopeAddress, tenure: Tenure): Promise<void> {
  const [scope, path] = [scopeKey(from), scopePath(from)];
  const ledger = await readLedger(world.table, scope);
  const head = (await readHead(world.table, scope)) as Head;
  const managed = ledger.reduce((count, line) => count + line.entries.length, 0);
  const problem = { code: 'SUPERSEDED', message: `Pull request #${run.pullRequest} took over what ${from.scope} managed.` } as const;
  const report = reportOf(run, { status: 'superseded', lines: [], managed, finishedAt: new Date(world.clock.now()).toISOString(), problem });
  const receipt = { ...world.redactor.maskJson({ ...report, scope: from.scope }), fence: tenure.fence, ledger, history: head.history, supersededBy: run.scope };
  if ((await storeReceipt(world, { path, scope }, receipt)) === 'lost') throw new Again(`the lease of ${from.scope} ran out`, 1);
  const supersededBy = { scope: run.scope, run: run.id, round: run.round, at: receipt.finishedAt, told: true } as const;
  await saveHead(world, scope, tenure, head, { ...settledBy(head, run.id, tenure.fence), receipt: receiptKey(path, run.id, run.round), supersededBy });
  await inBatches(
    ledger.filter((line) => line.entries.length === 0),
    (line) => removeLedgerLine(world, scope, tenure, line),
  );
}
