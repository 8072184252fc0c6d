import { type Effect, isWrite } from '../approvals/effect.ts';
import { findPlanDocument, type PlanDocument, stateHolds } from '../approvals/plan-document.ts';
import { closeQuestion } from '../approvals/question.ts';
import type { Tenure } from '../lease/lease.ts';
import { dropNotes, ensureHead, type Head, saveHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { Policy } from '../policy/types.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { judgeLedger } from '../run/judge-stored.ts';
import { loadOrEnd, protectedBy } from '../run/load-plan.ts';
import { prepareLines } from '../run/prepare-lines.ts';
import { removeApproved, takenBy } from '../run/prepare-removal.ts';
import { removalGate } from '../run/removal-gate.ts';
import { isRemoval } from '../run/report.ts';
import { runAddress, runScope } from '../run/run-scope.ts';
import { saveOrAgain } from '../run/run-store.ts';
import { supersedeOlderRuns, supersedeOpenRuns } from '../run/supersede.ts';
import { takeLease } from '../run/take-lease.ts';
import type { ControlWorld } from '../run/world.ts';
import { judgeAskedWorld } from '../run/world-judgement.ts';
import { type Honoured, honour } from './honour.ts';
import { planAgain } from './plan-again.ts';
import { isStale, recordStale } from './stale.ts';

/**
 * Lets exactly what was approved go on (P7). In this order, under the lease: this round's `plan.stale`, the world and the head, the
 * decisions, the stored document hashed again, the state digest. Anything else than what was seen stops, plans again and asks again.
 */
export async function guard(world: ControlWorld, run: Run): Promise<void> {
  if (run.stopping?.cause === 'superseded') return closeEarly(world, run, 'superseded', 'Another run took its place.', run.stopping.problem);
  const held = await takeLease(world, run);
  if (!held) return;
  if (await isStale(world, run)) return planAgain(world, run);
  const head = await ensureHead(world, runAddress(run), held.tenure);
  const past = await judgeAskedWorld(world, run, head);
  if (past) return closeEarly(world, run, past.is, past.why);
  const going = isRemoval(run.kind) ? await removalToGo(world, run) : await applyToGo(world, run);
  if (!going) return;
  const honoured = await honour(world, run, held.tenure, going);
  if (!honoured) return;
  const plan = await findPlanDocument(world.objects, honoured.digest, going.hash);
  if (!plan.document) return closeEarly(world, run, 'failed', plan.problem.message, plan.problem);
  if (!stateHolds(plan.document.state, await readLedger(world.table, runScope(run)), run.id)) {
    await recordStale(world, run, 'guard', 'state');
    return planAgain(world, run);
  }
  await letGo(world, run, { ...held, head, going }, honoured, plan.document);
}

/** What a run that was approved is about to do, and how it takes the scope and its lines for that. */
interface Going {
  readonly policy: Policy;
  readonly protects: readonly string[];
  /** Of the plan file, where there is one: what was approved was made of it. */
  readonly hash?: string;
  takeScope(held: { readonly tenure: Tenure; readonly head: Head; readonly decided: boolean }): Promise<void>;
  /** False: the step's time is up, and another one goes on. */
  prepare(run: Run, tenure: Tenure, approved: ReadonlyMap<string, readonly Effect[]>): Promise<boolean>;
}

async function applyToGo(world: ControlWorld, run: Run): Promise<Going | undefined> {
  const loaded = await loadOrEnd(world, run);
  if (!loaded) return undefined;
  return {
    policy: loaded.policy,
    protects: protectedBy(world, run, loaded),
    hash: loaded.hash,
    async takeScope({ tenure, head, decided }) {
      // A person's run of any commit that has nothing to write takes nobody's place. One that follows the host is what the scope is to be.
      if (decided || run.intent === 'follow') await supersedeOlderRuns(world, run);
      if (head.tombstone) await saveHead(world, runScope(run), tenure, head, {}, ['tombstone']);
    },
    prepare: (saved, tenure, approved) => prepareLines(world, saved, loaded, { kind: 'apply', warnings: loaded.warnings, gated: true, approved }, tenure),
  };
}

/** A removal works from the ledger alone, read and judged under the lease. A destroy leaves its tombstone before its first delete (P5). */
async function removalToGo(world: ControlWorld, run: Run): Promise<Going | undefined> {
  await judgeLedger(world, run);
  const ledger = await readLedger(world.table, runScope(run));
  const gate = await removalGate(world, run, takenBy(run, ledger));
  // It was asked, so it is never free; nobody's word is judged by a policy that cannot be read.
  if (gate.is !== 'asked') {
    const problem = gate.is === 'refused' ? gate.problem : undefined;
    await closeEarly(world, run, 'failed', 'What protects it cannot be told.', problem);
    return undefined;
  }
  return {
    policy: gate.policy,
    protects: gate.protects,
    async takeScope({ tenure, head }) {
      if (run.kind !== 'destroy') return;
      await supersedeOpenRuns(world, run, head.openRuns);
      await saveHead(world, runScope(run), tenure, head, { tombstone: { run: run.id, at: new Date(world.clock.now()).toISOString() } });
    },
    prepare: (saved, tenure, approved) => removeApproved(world, saved, ledger, tenure, approved),
  };
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
  const scope = runScope(run);
  await going.takeScope({ tenure, head, decided: honoured.decisions.length > 0 });
  await dropNotes(world, scope, head.notes);
  await closeQuestion(world, { ...honoured, run: run.id });
  const saved = await saveOrAgain(world, run, { honoured, ...(tookOver === undefined ? {} : { tookOver }) });
  const approved = new Map(document.lines.map((line) => [line.id, line.effects.filter(isWrite)]));
  const entered = await going.prepare(saved, tenure, approved);
  if (entered && saved.guard) await world.machine.succeed(saved.guard.token, { next: 'done' });
}
