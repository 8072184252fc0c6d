import type { Problem } from '../errors/error.ts';
import { frozen, frozenProblem } from '../freeze/frozen.ts';
import { resumeRecheck } from '../guard/recheck.ts';
import { readHead } from '../ledger/head.ts';
import { recover } from '../recover/recover.ts';
import { noteScans } from '../scans/note-scans.ts';
import { prepareScan } from '../scans/prepare-scan.ts';
import { predecessorOf } from '../succession/predecessor.ts';
import { scopeKey } from '../table/keys.ts';
import { prepareTicked } from '../ticks/prepare-ticked.ts';
import { closeEarly } from './close-early.ts';
import { isRechecking, type Run } from './items.ts';
import { judgeRecreate } from './judge-recreate.ts';
import { judgeStored } from './judge-stored.ts';
import { type LoadedPlan, loadOrEnd, protectedBy } from './load-plan.ts';
import { prepareApply } from './prepare-apply.ts';
import { prepareDestroy } from './prepare-destroy.ts';
import { prepareGated } from './prepare-gated.ts';
import { prepareLines } from './prepare-lines.ts';
import { preparePrune } from './prepare-prune.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';
import { judgeAge, judgeHead, judgeWorld } from './world-judgement.ts';

/**
 * The first control step of a round. Whatever was judged before the lease is judged again under it, and nothing is read
 * from the ledger before the lease is sealed (P3).
 */
export async function prepare(world: ControlWorld, run: Run): Promise<void> {
  if (run.intent === 'recover') return recover(world, run);
  if (run.intent === 'drift') return prepareScan(world, run);
  if (isRechecking(run)) return resumeRecheck(world, run);
  await judgeStored(world, run);
  if (run.intent === 'plan') return preparePlan(world, run);
  if (run.intent === 'prune') return preparePrune(world, run);
  const early = await judgeWorld(world, run);
  if (early.is === 'superseded' || early.is === 'stale') return closeEarly(world, run, early.is, early.why);
  if (early.is === 'destroy') return prepareDestroy(world, run);
  if (run.options.ticked) return prepareTicked(world, run);
  const loaded = await loadForRun(world, run);
  if (!loaded) return;
  // Whoever was asked once is asked again, although policy protects less by now.
  const protects = [...new Set([...(run.protects ?? []), ...protectedBy(world, run, loaded)])].sort();
  if (protects.length === 0) return prepareApply(world, run, loaded);
  // Nobody is asked about what the guard could only refuse, and no other run's place is taken for it.
  const past = await judgeHead(world, run, await readHead(world.table, runScope(run)));
  await (past ? closeEarly(world, run, past.is, past.why) : prepareGated(world, run, loaded, protects));
}

/** The plan, of a run whose options make sense for it; undefined: the run has ended. */
async function loadForRun(world: ControlWorld, run: Run): Promise<LoadedPlan | undefined> {
  const loaded = await loadOrEnd(world, run);
  if (!loaded) return undefined;
  await noteScans(world, run.repository, loaded.policy);
  const problem = await judgeRecreate(world, run, loaded.lines);
  if (problem) await closeEarly(world, run, 'failed', problem.message, problem);
  return problem ? undefined : loaded;
}

/** A plan takes no lease; an older commit is planned all the same, and told so. */
async function preparePlan(world: ControlWorld, run: Run): Promise<void> {
  const loaded = await loadForRun(world, run);
  if (!loaded) return;
  const head = await readHead(world.table, runScope(run));
  const age = head ? await judgeAge(world, run, head) : undefined;
  const stale: Problem[] = age?.is === 'stale' ? [{ code: 'STALE', message: age.why }] : [];
  const predecessor = await predecessorOf(world, run);
  // What people would be asked about an apply would ask about, so that the plan says the same.
  const protects = protectedBy(world, run, loaded);
  const freeze = await frozen(world, { ...run, protects });
  const before = predecessor ? { predecessor: scopeKey(predecessor) } : {};
  const asks = protects.length > 0 ? { protects } : {};
  await prepareLines(world, run, loaded, {
    kind: 'plan',
    warnings: [...loaded.warnings, ...stale, ...(freeze ? [frozenProblem(freeze)] : [])],
    ...before,
    ...asks,
  });
}
