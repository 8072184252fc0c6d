import { dropNotes, type Head, readHead, saveHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import { enterPhase } from './enter-phase.ts';
import type { Run } from './items.ts';
import { judgeLedger } from './judge-stored.ts';
import { queueStep } from './phase.ts';
import { askAboutRemoval } from './prepare-removal.ts';
import { removalGate } from './removal-gate.ts';
import { becomes } from './run-kind.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { freeStep } from './run-store.ts';
import { sealForRemoval } from './seal-secrets.ts';
import { stoppedByFreeze } from './stopped-by-freeze.ts';
import { supersedeOpenRuns } from './supersede.ts';
import { takeLease } from './take-lease.ts';
import { stacksOfRemoval } from './with-stacks.ts';
import type { ControlWorld } from './world.ts';
import { judgeWorld } from './world-judgement.ts';

/** A destroy works from the ledger alone and leaves a tombstone before its first delete (P5). What is protected is asked about first. */
export async function prepareDestroy(world: ControlWorld, unkinded: Run): Promise<void> {
  const scope = runScope(unkinded);
  if (!(await readHead(world.table, scope))) return closeEarly(world, { ...unkinded, kind: 'destroy' }, 'complete', 'There is nothing to remove.');
  const held = await takeLease(world, unkinded);
  if (!held) return;
  if ((await judgeWorld(world, unkinded)).is !== 'destroy') return backToStart(world, unkinded);
  await judgeLedger(world, unkinded);
  const ledger = await readLedger(world.table, scope);
  const gate = await removalGate(world, unkinded, ledger);
  if (gate.is === 'asked') return askAboutRemoval(world, unkinded, 'destroy', ledger, gate);
  if (unkinded.intent !== 'follow' && (await stoppedByFreeze(world, { ...unkinded, kind: 'destroy' }))) return;
  const problem = gate.is === 'refused' ? gate.problem : undefined;
  // Refused or not: a pull request that is closed has nothing more to ask about (P6). A person's command that is refused ends nobody's question.
  if (problem && unkinded.intent === 'follow') await supersedeOpenRuns(world, unkinded, ((await readHead(world.table, scope)) as Head).openRuns);
  if (problem) return closeEarly(world, { ...unkinded, kind: 'destroy' }, 'failed', problem.message, problem);

  const run = await becomes(world, unkinded, 'destroy', held.tookOver);
  const head = (await readHead(world.table, scope)) as Head;
  await supersedeOpenRuns(world, run, head.openRuns);
  await dropNotes(world, scope, head.notes);
  await saveHead(world, scope, held.tenure, head, { tombstone: { run: run.id, at: new Date(world.clock.now()).toISOString() } });
  const entries = ledger.flatMap((line) => line.entries);
  const stacks = await stacksOfRemoval(world, run, ledger);
  await sealForRemoval(world, run, entries, stacks.tools);
  const lines = await stacks.give(destroyLines(ledger));
  const entered = await enterPhase(world, run, { phase: 'applying', lines, change: stacks.sources, fence: held.tenure.fence });
  if (entered) await logEvent(world, entered, entered.tookOver ? 'took over' : 'prepared', { detail: `${entries.length} resources` });
}

/** A pull request that was opened again meanwhile: the same run starts over as what it is now. */
async function backToStart(world: ControlWorld, run: Run): Promise<void> {
  await freeStep(world, run);
  await queueStep(world, run);
}
