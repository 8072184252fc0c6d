import { entryCalls } from '../engine/entry-call.ts';
import { resolveIntents } from '../engine/intents.ts';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import type { Tenure } from '../lease/lease.ts';
import { dropClaim, readClaim } from '../ledger/claim.ts';
import { type Entry, isIntent, type LedgerLine } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import { readLedger, removeLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import { inBatches } from '../table/in-batches.ts';
import { deadline } from './deadline.ts';
import type { Run, RunLine } from './items.ts';
import { orphansOf } from './orphans.ts';
import type { DriftItem, RunReport } from './report.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/** Codes that mean "ask again", not "it cannot be found out". */
const againCodes: ReadonlySet<string> = new Set(['STORE_UNREACHABLE', 'PROVIDER_AGAIN']);

/** Resolves every intent left in the scope, also of lines the plan no longer has (P4). What cannot be asked stays, and fails the run. */
export async function settleIntents(
  world: ControlWorld,
  run: Run,
  tenure: Tenure,
  secrets: SecretSet,
): Promise<{ ledger: LedgerLine[]; unresolved?: Problem }> {
  const scope = runScope(run);
  const ledger = await readLedger(world.table, scope);
  if (!ledger.some((line) => line.entries.some(isIntent))) return { ledger };
  const guard = deadline(world.clock, run.step?.until ?? 0, tenure.deadline);
  let unresolved: Problem | undefined;
  const resolved: LedgerLine[] = [];
  for (const line of ledger) {
    const callOf = entryCalls(world, run, line.line, secrets, guard);
    try {
      resolved.push(await resolveIntents({ world, run, scope, tenure, guard, ledger: line, callOf }));
    } catch (error) {
      if (!(error instanceof LockkeeperError) || againCodes.has(error.code)) throw error;
      const message = `An interrupted create of line ${line.line} could not be looked for: ${world.redactor.mask(error.message)}`;
      unresolved ??= { code: 'INTENT_UNRESOLVED', message };
      resolved.push(line);
    }
  }
  return unresolved ? { ledger: resolved, unresolved } : { ledger: resolved };
}

/** Marks what no line wants any more, and forgets what was only adopted (R1.61). */
export async function settleOrphans(
  world: ControlWorld,
  run: Run,
  tenure: Tenure,
  ledger: readonly LedgerLine[],
  lines: readonly RunLine[],
): Promise<{ ledger: LedgerLine[]; drift: readonly DriftItem[] }> {
  const found = orphansOf(ledger, lines);
  const settled = await inBatches(ledger, async (line) => {
    const next = found.entries.get(line.line);
    return next ? settleLine(world, run, tenure, line, next) : line;
  });
  return { ledger: settled, drift: found.drift };
}

async function settleLine(world: ControlWorld, run: Run, tenure: Tenure, line: LedgerLine, next: readonly Entry[]): Promise<LedgerLine> {
  const scope = runScope(run);
  const kept = new Set(next.map(identityHash));
  const dropped = line.entries.filter((entry) => !kept.has(identityHash(entry)));
  const claims = await Promise.all(dropped.map((entry) => readClaim(world, entry)));
  const saved = await saveLedgerLine(world, scope, tenure, run.id, line, { entries: next });
  for (const [at, entry] of dropped.entries()) {
    const claim = claims[at];
    if (claim?.scope === scope && claim.line === line.line) await dropClaim(world, entry, claim);
  }
  return saved;
}

/**
 * Takes the items of lines that hold nothing out of the table, once the run is final: until then its guard compares them with what it
 * planned over, and one that the run emptied itself must not look as if somebody had taken it away (P7). A line of the plan keeps its
 * own: the next run writes into it without an insert.
 */
export async function clearEmptyLines(world: ControlWorld, run: Run, tenure: Tenure, ledger: readonly LedgerLine[], report: RunReport): Promise<void> {
  if (report.status === 'partial') return;
  const planned = new Set(report.kind === 'apply' ? report.lines.map((line) => line.id) : []);
  const empty = ledger.filter((line) => line.entries.length === 0 && !planned.has(line.line));
  await inBatches(empty, (line) => removeLedgerLine(world, runScope(run), tenure, line));
}
