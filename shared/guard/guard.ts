import { isWrite } from '../approvals/effect.ts';
import { findPlanDocument, type PlanDocument, stateHolds } from '../approvals/plan-document.ts';
import { closeQuestion } from '../approvals/question.ts';
import type { Tenure } from '../lease/lease.ts';
import { dropNotes, ensureHead, type Head } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { showApproved } from '../run/card.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { publishStart } from '../run/publish.ts';
import { runAddress, runScope } from '../run/run-scope.ts';
import { saveOrAgain } from '../run/run-store.ts';
import { takeLease } from '../run/take-lease.ts';
import type { ControlWorld } from '../run/world.ts';
import { judgeAskedWorld } from '../run/world-judgement.ts';
import { type Going, goingOf } from './going.ts';
import { type Honoured, honour, isRejectedMeanwhile, tellBrokenGlass } from './honour.ts';
import { planAgain } from './plan-again.ts';
import { beginRecheck, needsRecheck } from './recheck.ts';
import { isStale, recordStale } from './stale.ts';

/**
 * Lets exactly what was approved go on (P7). In this order, under the lease: this round's `plan.stale`, the world and the head, the
 * decisions, the stored document hashed again, the state digest, and where policy wants it a recheck. Anything else than what was seen
 * stops, plans again and asks again.
 */
export async function guard(world: ControlWorld, run: Run): Promise<void> {
  if (run.stopping?.cause === 'superseded') return closeEarly(world, run, 'superseded', 'Another run took its place.', run.stopping.problem);
  const held = await takeLease(world, run);
  if (!held) return;
  if (await isStale(world, run)) return planAgain(world, run);
  const head = await ensureHead(world, runAddress(run), held.tenure);
  const past = await judgeAskedWorld(world, run, head);
  if (past) return closeEarly(world, run, past.is, past.why);
  const going = await goingOf(world, run);
  if (!going) return;
  const honoured = await honour(world, run, held.tenure, going);
  if (!honoured) return;
  const plan = await findPlanDocument(world.objects, honoured.digest, going.hash);
  if (!plan.document) return closeEarly(world, run, 'failed', plan.problem.message, plan.problem);
  if (!stateHolds(plan.document.state, await readLedger(world.table, runScope(run)), run.id)) {
    await recordStale(world, run, 'guard', 'state');
    return planAgain(world, run);
  }
  if (needsRecheck(run, going, honoured, held.tenure)) return beginRecheck(world, run, honoured, held.tenure, going);
  await letGo(world, run, { ...held, head, going }, honoured, plan.document);
}

/** What the guard has found right. */
interface Held {
  readonly tenure: Tenure;
  readonly tookOver?: string;
  readonly head: Head;
  readonly going: Going;
}

/** The approved effects go to their lines, and the lines to the queue. The token is completed only then: many lines take several steps. */
async function letGo(world: ControlWorld, run: Run, { tenure, tookOver, head, going }: Held, honoured: Honoured, document: PlanDocument): Promise<void> {
  await going.takeScope({ tenure, head, decided: honoured.decisions.length > 0 });
  await dropNotes(world, runScope(run), head.notes);
  await closeQuestion(world, { ...honoured, run: run.id });
  await publishStart(world, run);
  await tellBrokenGlass(world, run, honoured);
  const saved = await saveOrAgain(world, run, { honoured, ...(tookOver === undefined ? {} : { tookOver }) });
  if (await isRejectedMeanwhile(world, saved, run.honoured, going.policy)) return;
  await showApproved(
    world,
    saved,
    honoured.decisions.map(({ person }) => person.name),
  );
  const approved = new Map(document.lines.map((line) => [line.id, line.effects.filter(isWrite)]));
  const entered = await going.prepare(saved, tenure, approved);
  if (entered && saved.guard) await world.machine.succeed(saved.guard.token, { next: 'done' });
}
