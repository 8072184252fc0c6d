import { readDecisions } from '../approvals/decision.ts';
import { judgeDecisions } from '../approvals/judge-decisions.ts';
import { loadPlanDocument, type PlanDocument, stateHolds } from '../approvals/plan-document.ts';
import { closeQuestion } from '../approvals/question.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { Tenure } from '../lease/lease.ts';
import { dropNotes, ensureHead, type Head, saveHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { Again } from '../run/again.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { loadOrEnd } from '../run/load-plan.ts';
import { prepareLines } from '../run/prepare-lines.ts';
import { runAddress, runScope } from '../run/run-scope.ts';
import { saveRun } from '../run/run-store.ts';
import { supersedeOpenRuns } from '../run/supersede.ts';
import { takeLease } from '../run/take-lease.ts';
import type { ControlWorld } from '../run/world.ts';
import { judgeAge, judgeTombstone, judgeWorld } from '../run/world-judgement.ts';
import { planAgain } from './plan-again.ts';
import { isStale, recordStale } from './stale.ts';

type Honoured = NonNullable<Run['honoured']>;

/**
 * Lets exactly what was approved go on (P7). In this order, under the lease: this round's `plan.stale`, the world and the head, the
 * decisions, the stored document hashed again, the state digest. Anything else than what was seen stops, plans again and asks again.
 */
export async function guard(world: ControlWorld, run: Run): Promise<void> {
  const held = await takeLease(world, run);
  if (!held) return;
  if (await isStale(world, run)) return planAgain(world, run, run.guardToken);
  const head = await ensureHead(world, runAddress(run), held.tenure);
  for (const judge of [judgeWorld, judgeAge, judgeTombstone]) {
    const answer = await judge(world, run, head);
    if (answer.is === 'superseded' || answer.is === 'stale') return endGuarded(world, run, answer.is, answer.why);
    if (answer.is === 'destroy') return endGuarded(world, run, 'superseded', 'Its pull request is closed.');
  }
  const honoured = await honour(world, run, held.tenure);
  if (!honoured) return endGuarded(world, run, 'expired', 'The decision ran out before it could be honoured.');
  const document = await loadPlanDocument(world.objects, honoured.digest);
  if (!stateHolds(document.state, await readLedger(world.table, runScope(run)), run.id)) {
    await recordStale(world, run, 'guard', 'state');
    return planAgain(world, run, run.guardToken);
  }
  await letGo(world, run, held, head, honoured, document);
}

/** The decisions that count, judged once: later expiry does not stop a running apply. Those honoured before a wait still hold until they expire. */
async function honour(world: ControlWorld, run: Run, tenure: Tenure): Promise<Honoured | undefined> {
  const question = run.question as NonNullable<Run['question']>;
  const known = run.honoured?.q === question.q ? run.honoured : undefined;
  if (known) return known.decisions.length === 0 || known.expiresAt > world.clock.now() ? { ...known, fence: tenure.fence } : undefined;
  const decisions = await readDecisions(world.table, { ...question, run: run.id });
  if (question.expiresAt <= world.clock.now() || judgeDecisions(decisions) !== 'approve') return undefined;
  return { ...question, decisions, fence: tenure.fence };
}

/** The approved effects go to their lines, and the lines to the queue. The token is completed only then. */
async function letGo(
  world: ControlWorld,
  run: Run,
  held: { tenure: Tenure; tookOver?: string },
  head: Head,
  honoured: Honoured,
  document: PlanDocument,
): Promise<void> {
  const loaded = await loadOrEnd(world, run);
  if (!loaded) return;
  if (loaded.hash !== document.plan.hash) throw new LockkeeperError({ code: 'PLAN_CORRUPT', message: 'The plan file is not the one that was planned.' });
  const scope = runScope(run);
  await supersedeOpenRuns(world, run, head.openRuns);
  await dropNotes(world, scope, head.notes);
  if (head.tombstone) await saveHead(world, scope, held.tenure, head, {}, ['tombstone']);
  await closeQuestion(world, { ...honoured, run: run.id });
  const taken = held.tookOver === undefined ? {} : { tookOver: held.tookOver };
  const saved = await saveRun(world, run, { honoured, ...taken });
  if (!saved) throw new Again('the run moved on meanwhile', 0);
  const approved = new Map(document.lines.map((line) => [line.id, line.effects]));
  await prepareLines(world, saved, loaded, { kind: 'apply', warnings: loaded.warnings, gated: true, approved }, held.tenure);
  await answerGuard(world, saved);
}

/** Tells the machine that the guard is done with: the apply goes over the queues. */
export async function answerGuard(world: ControlWorld, run: Run, next: 'done' | 'replan' = 'done'): Promise<boolean> {
  return run.guardToken !== undefined && (await world.machine.succeed(run.guardToken, { next })) === 'done';
}

async function endGuarded(world: ControlWorld, run: Run, status: 'superseded' | 'stale' | 'expired', why: string): Promise<void> {
  await closeQuestion(world, { ...(run.question as NonNullable<Run['question']>), run: run.id });
  await closeEarly(world, run, status, why);
  await answerGuard(world, run);
}
