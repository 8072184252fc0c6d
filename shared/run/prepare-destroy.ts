import { type Problem, problemOf } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { dropNotes, type Head, readHead, saveHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { alwaysProtected, isProtected } from '../policy/policy.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import { enterPhase } from './enter-phase.ts';
import type { Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import { queueStep } from './phase.ts';
import { becomes } from './run-kind.ts';
import { logEvent } from './run-log.ts';
import { environmentsOf, runScope } from './run-scope.ts';
import { freeStep } from './run-store.ts';
import { sealSecrets } from './seal-secrets.ts';
import { supersedeOpenRuns } from './supersede.ts';
import { takeLease } from './take-lease.ts';
import type { ControlWorld } from './world.ts';
import { judgeWorld } from './world-judgement.ts';

/** A destroy works from the ledger alone and leaves a tombstone before its first delete (P5). */
export async function prepareDestroy(world: ControlWorld, unkinded: Run): Promise<void> {
  const scope = runScope(unkinded);
  if (!(await readHead(world.table, scope))) return closeEarly(world, { ...unkinded, kind: 'destroy' }, 'complete', 'There is nothing to remove.');
  const held = await takeLease(world, unkinded);
  if (!held) return;
  if ((await judgeWorld(world, unkinded)).is !== 'destroy') return backToStart(world, unkinded);
  const ledger = await readLedger(world.table, scope);
  const problem = await protectedEntries(world, unkinded, ledger);
  // Refused or not: a pull request that is closed has nothing more to ask about (P6). A person's command that is refused ends nobody's question.
  if (problem && unkinded.intent === 'follow') await supersedeOpenRuns(world, unkinded, ((await readHead(world.table, scope)) as Head).openRuns);
  if (problem) return closeEarly(world, { ...unkinded, kind: 'destroy' }, 'failed', problem.message, problem);

  const run = await becomes(world, unkinded, 'destroy', held.tookOver);
  const head = (await readHead(world.table, scope)) as Head;
  await supersedeOpenRuns(world, run, head.openRuns);
  await dropNotes(world, scope, head.notes);
  await saveHead(world, scope, held.tenure, head, { tombstone: { run: run.id, at: new Date(world.clock.now()).toISOString() } });
  const entries = ledger.flatMap((line) => line.entries);
  await sealSecrets(world, run, [], entries);
  const entered = await enterPhase(world, run, { phase: 'applying', lines: destroyLines(ledger), change: {}, fence: held.tenure.fence });
  if (entered) await logEvent(world, entered, entered.tookOver ? 'took over' : 'prepared', { detail: `${entries.length} resources` });
}

/** A pull request that was opened again meanwhile: the same run starts over as what it is now. */
async function backToStart(world: ControlWorld, run: Run): Promise<void> {
  await freeStep(world, run);
  await queueStep(world, run);
}

/** Nobody can be asked about a destroy yet: what is protected stays, and the rest of the scope with it (I7). */
async function protectedEntries(world: ControlWorld, run: Run, ledger: readonly LedgerLine[]): Promise<Problem | undefined> {
  const held = ledger.filter((line) => line.entries.length > 0);
  if (held.length === 0) return undefined;
  const { protects, why } = await protection(world, run);
  const writing = held.filter(protects);
  if (writing.length === 0) return undefined;
  const lines = `${writing.length === 1 ? 'line' : 'lines'} ${writing.map((line) => line.line).join(', ')}`;
  const message = `Removing ${lines} would write in a protected environment${why}. A destroy of one cannot be asked about yet, so nobody can approve it.`;
  return { code: 'ENV_NOT_APPROVED', message, hint: 'Nothing was removed. What has to go, remove at the provider: the next run finds it gone.' };
}

interface Protection {
  readonly protects: (line: LedgerLine) => boolean;
  readonly why: string;
}

/**
 * What is protected, by the policy of this moment. One with a mistake in it says nothing: then a line is, if it was when it was last
 * prepared. To remove all the same what was protected would lose what nobody can bring back; to remove nothing would let a mistake in
 * one commit keep every preview of the repository alive (ADR 0033).
 *
 * @throws what the host throws: a policy that could not be asked for is no mistake, and the step comes again.
 */
async function protection(world: ControlWorld, run: Run): Promise<Protection> {
  try {
    const policy = await loadPolicy(world, run.repository);
    return { protects: (line) => environmentsOf(run, line).some((environment) => isProtected(policy, environment)), why: '' };
  } catch (error) {
    if (problemOf(error).code !== 'POLICY_INVALID') throw error;
    const protects = (line: LedgerLine) => line.protected === true || environmentsOf(run, line).includes(alwaysProtected);
    return { protects, why: ', as far as is known while lockkeeper.yaml has a mistake in it' };
  }
}
