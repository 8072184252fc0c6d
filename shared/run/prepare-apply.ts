import type { Tenure } from '../lease/lease.ts';
import { dropNotes, ensureHead, type Head, saveHead } from '../ledger/head.ts';
import { takeOver } from '../succession/take-over.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import { judgeLedger } from './judge-stored.ts';
import type { LoadedPlan } from './load-plan.ts';
import { prepareDestroy } from './prepare-destroy.ts';
import { prepareLines } from './prepare-lines.ts';
import { publishStart } from './publish.ts';
import { becomes } from './run-kind.ts';
import { runAddress, runScope } from './run-scope.ts';
import { stoppedByFreeze } from './stopped-by-freeze.ts';
import { supersedeOpenRuns } from './supersede.ts';
import { takeLease, withLeaseTtl } from './take-lease.ts';
import type { ControlWorld } from './world.ts';
import { judgeHead, judgeWorld } from './world-judgement.ts';

/**
 * An ungated apply: lease, head, judgement, lines. The head is there before the host is asked: whoever closes the pull request
 * after our question finds it and makes a run that removes what this one makes.
 */
export async function prepareApply(world: ControlWorld, unkinded: Run, loaded: LoadedPlan): Promise<void> {
  const leased = withLeaseTtl(unkinded, loaded.policy);
  const held = await takeLease(world, leased);
  if (!held) return;
  const head = await ensureHead(world, runAddress(unkinded), held.tenure);
  const judged = await judgeWorld(world, unkinded);
  if (judged.is === 'superseded' || judged.is === 'stale') return closeEarly(world, unkinded, judged.is, judged.why);
  if (judged.is === 'destroy') return prepareDestroy(world, unkinded);
  const past = await judgeHead(world, unkinded, head);
  if (past) return closeEarly(world, unkinded, past.is, past.why);

  if (await stoppedByFreeze(world, unkinded)) return;
  await judgeLedger(world, unkinded);
  const run = await becomes(world, unkinded, 'apply', held.tookOver);
  await lookAtHead(world, run, held.tenure, head);
  await takeOver(world, run, held.tenure);
  await publishStart(world, run);
  const { leaseTtlMs } = leased;
  await prepareLines(world, run, loaded, { kind: 'apply', warnings: loaded.warnings, ...(leaseTtlMs !== undefined && { leaseTtlMs }) }, held.tenure);
}

/** The older waiting runs of the scope end here, the tombstone of a past destroy is lifted, and notes read now are used up. */
async function lookAtHead(world: ControlWorld, run: Run, tenure: Tenure, head: Head): Promise<void> {
  const scope = runScope(run);
  await supersedeOpenRuns(world, run, head.openRuns);
  await dropNotes(world, scope, head.notes);
  if (head.tombstone) await saveHead(world, scope, tenure, head, {}, ['tombstone']);
}
