import { typedWord } from '../engine/ways-on.ts';
import type { Problem } from '../errors/error.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { isOrphan, type LedgerLine } from '../ledger/entry.ts';
import { dropNotes, readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { reportOf } from './assemble.ts';
import { closeEarly } from './close-early.ts';
import { destroyLines } from './destroy-lines.ts';
import { close } from './ending.ts';
import { enterPhase } from './enter-phase.ts';
import type { Run } from './items.ts';
import { judgeLedger } from './judge-stored.ts';
import { managedNow } from './managed.ts';
import { orphanDrift } from './orphans.ts';
import { askAboutRemoval, takenBy } from './prepare-removal.ts';
import { publish } from './publish.ts';
import { removalGate } from './removal-gate.ts';
import { storeReport } from './reports.ts';
import { becomes } from './run-kind.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { sealForRemoval } from './seal-secrets.ts';
import { stoppedByFreeze } from './stopped-by-freeze.ts';
import { takeLease } from './take-lease.ts';
import { stacksOfRemoval } from './with-stacks.ts';
import type { ControlWorld } from './world.ts';

/**
 * A prune removes what no line wants any more, and nothing else: the entries that a settle marked as orphans. It goes the way of a destroy,
 * from the ledger alone, under the lease, and leaves neither tombstone nor commit: the scope lives on. An undo is one of what a run created. Until
 * it is told to, it only shows, and what is protected is asked about first.
 */
export async function preparePrune(world: ControlWorld, unkinded: Run): Promise<void> {
  const scope = runScope(unkinded);
  if (!(await readHead(world.table, scope))) return closeEarly(world, unkinded, 'complete', 'There is nothing to remove.');
  if (!unkinded.options.confirmed) return showOrphans(world, unkinded);
  const held = await takeLease(world, unkinded);
  if (!held) return;
  await judgeLedger(world, unkinded);
  const ledger = await readLedger(world.table, scope);
  const { only, undo } = unkinded.options;
  const wanted = takenBy(unkinded, ledger);
  // One that was asked about says in its stop what came of planning again, and needs its guard for that.
  if (wanted.length === 0 && undo !== undefined && unkinded.protects === undefined) return closeEarly(world, unkinded, 'complete', 'Nothing of it is left.');
  const gate = await removalGate(world, unkinded, wanted);
  if (gate.is === 'asked') return askAboutRemoval(world, unkinded, 'prune', ledger, gate);
  if (await stoppedByFreeze(world, unkinded)) return;
  const missing = wanted.length === 0 && only !== undefined ? noOrphans(only, ledger) : undefined;
  const problem = missing ?? (gate.is === 'refused' ? gate.problem : undefined);
  if (problem) return closeEarly(world, unkinded, 'failed', problem.message, problem);
  const run = await becomes(world, unkinded, 'prune', held.tookOver);
  await dropNotes(world, scope, (await readHead(world.table, scope))?.notes ?? []);
  const entries = wanted.flatMap((line) => line.entries);
  const stacks = await stacksOfRemoval(world, run, wanted);
  await sealForRemoval(world, run, entries, stacks.tools);
  const lines = await stacks.give(destroyLines(wanted));
  const entered = await enterPhase(world, run, { phase: 'applying', lines, change: stacks.sources, fence: held.tenure.fence });
  if (entered) await logEvent(world, entered, entered.tookOver ? 'took over' : 'prepared', { detail: `${entries.length} resources` });
}

/** What there is to prune: told, and left. Nothing is written, so no lease is needed. */
async function showOrphans(world: ControlWorld, run: Run): Promise<void> {
  const ledger = await readLedger(world.table, runScope(run));
  const drift = ledger.flatMap((line) => line.entries.filter(isOrphan).map((entry) => orphanDrift(line, entry)));
  const finishedAt = new Date(world.clock.now()).toISOString();
  const report = world.redactor.maskJson(reportOf(run, { status: 'complete', lines: [], managed: await managedNow(world, run), finishedAt, drift }));
  const key = await storeReport(world, report);
  await publish(world, run, report);
  await close(world, run, report, key);
}

function noOrphans(line: string, ledger: readonly LedgerLine[]): Problem {
  const lines = ledger.filter(({ entries }) => entries.some(isOrphan)).map((one) => one.line);
  const where = lines.length === 0 ? 'No line of this scope holds any.' : `Those of this scope lie in ${listed(lines)}.`;
  const message = `Line ${quoted(line)} holds nothing that no line wants. ${where}`;
  if (!ledger.some((one) => one.line === line && one.entries.length > 0))
    return { code: 'USAGE', message, hint: 'Type `lockkeeper prune` to see what there is.' };
  // Whoever has just taken it out of the plan file: it is wanted until that is applied.
  const hint = `What it holds the plan wants that was applied last. Apply one without it; then \`lockkeeper prune ${typedWord(line)}\` removes it.`;
  return { code: 'USAGE', message, hint };
}
