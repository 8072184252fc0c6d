import type { Effect } from '../approvals/effect.ts';
import { stateOf } from '../approvals/plan-document.ts';
import { problemOf } from '../errors/error.ts';
import type { Tenure } from '../lease/lease.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { destroyLines } from './destroy-lines.ts';
import { enterPhase } from './enter-phase.ts';
import type { Run } from './items.ts';
import { planStateKey } from './plan-state.ts';
import { askedAs } from './prepare-gated.ts';
import { releaseAndWake } from './release.ts';
import type { AskedRemoval } from './removal-gate.ts';
import { becomes } from './run-kind.ts';
import { logEvent } from './run-log.ts';
import { sealForRemoval } from './seal-secrets.ts';
import { storeSeen } from './seen.ts';
import { prunes } from './undo.ts';
import { stacksOfRemoval } from './with-stacks.ts';
import type { ControlWorld } from './world.ts';

/** What a removal takes of a ledger: a destroy all of it, a prune the orphans, of one line or of each, or what the run that it undoes created. */
export function takenBy(
  { kind, intent, options }: Pick<Run, 'intent' | 'options'> & { readonly kind?: Run['kind'] },
  ledger: readonly LedgerLine[],
): LedgerLine[] {
  const isPrune = (kind ?? intent) === 'prune';
  const lines = isPrune && options.only !== undefined ? ledger.filter(({ line }) => line === options.only) : ledger;
  return lines.map((line) => (isPrune ? { ...line, entries: line.entries.filter(prunes({ options })) } : line)).filter(({ entries }) => entries.length > 0);
}

/**
 * A removal of what is protected is planned first, and people are asked about it as about an apply (P7): what would go, each resource read
 * now. It was judged under the lease, which is given back: it is not held while people think. The ledger is the one that was judged,
 * read before the first inspection: what moves in between shows as a moved state.
 */
export async function askAboutRemoval(
  world: ControlWorld,
  unkinded: Run,
  kind: 'destroy' | 'prune',
  ledger: readonly LedgerLine[],
  gate: AskedRemoval,
): Promise<void> {
  const run = await becomes(world, unkinded, kind, undefined);
  await world.objects.put(planStateKey(run), JSON.stringify(stateOf(ledger)), { ifAbsent: true });
  await releaseAndWake(world, run);
  await planRemoval(world, run, ledger, gate);
}

/** Every line of a removal is planned, with what its question goes by. Nothing of it is written, so no line waits for another. */
export async function planRemoval(
  world: ControlWorld,
  run: Run,
  ledger: readonly LedgerLine[],
  { policy, text, protects }: Pick<AskedRemoval, 'policy' | 'text' | 'protects'>,
): Promise<void> {
  const taken = takenBy(run, ledger);
  const entries = taken.flatMap((line) => line.entries);
  const stacks = await stacksOfRemoval(world, run, taken, policy);
  await sealForRemoval(world, run, entries, stacks.tools);
  const lines = await stacks.give(destroyLines(taken).map(({ spec }) => ({ spec, after: [] })));
  const seen = await storeSeen(world, run, text === undefined ? {} : { policy: text }).catch(withoutGlass);
  const change = { gated: true, ...askedAs(world, policy, protects, run), ...seen, ...stacks.sources } as const;
  const entered = await enterPhase(world, run, { phase: 'planning', lines, change, fence: 0 });
  if (entered) await logEvent(world, entered, 'prepared', { detail: `${entries.length} resources, to be asked about` });
}

/** A commit that the host has no more has no authors to keep: its removal is asked about all the same, and nobody can decide it while the host is silent. */
function withoutGlass(error: unknown): Record<string, never> {
  if (!['CODE_HOST', 'PROVIDER_NOT_FOUND'].includes(problemOf(error).code)) throw error;
  return {};
}

/**
 * What was approved goes to its lines, dependents first, under the lease. A line that nobody was asked about has nothing approved, and deletes
 * nothing. False: the step's time is up, and another one goes on.
 */
export async function removeApproved(
  world: ControlWorld,
  run: Run,
  ledger: readonly LedgerLine[],
  { fence }: Tenure,
  approved: ReadonlyMap<string, readonly Effect[]>,
): Promise<boolean> {
  const taken = takenBy(run, ledger);
  const entries = taken.flatMap((line) => line.entries);
  const stacks = await stacksOfRemoval(world, run, taken);
  await sealForRemoval(world, run, entries, stacks.tools);
  const lines = await stacks.give(destroyLines(taken).map(({ spec, after }) => ({ spec: { ...spec, approved: approved.get(spec.id) ?? [] }, after })));
  const entered = await enterPhase(world, run, { phase: 'applying', lines, change: stacks.sources, fence });
  if (entered) await logEvent(world, entered, entered.tookOver ? 'took over' : 'prepared', { detail: `${entries.length} resources` });
  return entered !== undefined;
}
