import { ownerText } from '../engine/owned-by-other.ts';
import type { Tenure } from '../lease/lease.ts';
import { isAbandoned, readClaim, takeClaim } from '../ledger/claim.ts';
import { type Entry, isDeed, type LedgerLine } from '../ledger/entry.ts';
import { LedgerMoved } from '../ledger/ledger-line.ts';
import type { Item, Key } from '../ports/table.ts';
import type { LatestReceipt } from '../receipts/receipt.ts';
import type { Deadline } from '../run/deadline.ts';
import type { Recovery } from '../run/report.ts';
import type { ControlWorld } from '../run/world.ts';
import { absent, all, type Condition, equal, lacks, present } from '../table/condition.ts';
import { headKey, ledgerKey, type ScopeAddress, scopeKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Found } from './survey.ts';

type Outcome = Recovery['lines'][number];

/** A scope that is being rebuilt under the lease of a run. */
export interface Restoring {
  readonly world: ControlWorld;
  readonly run: string;
  readonly at: ScopeAddress;
  readonly tenure: Tenure;
  readonly guard: Deadline;
}

/**
 * What a line of the receipt would come to: what another scope or line owns by now is named, and not taken. Writes nothing.
 *
 * @param by the run that has brought the line back already, in an attempt that died afterwards.
 */
export async function foresee({ world, at }: Pick<Restoring, 'world' | 'at'>, line: LedgerLine, found: Found<LedgerLine>, by?: string): Promise<Outcome> {
  if (found.is === 'there' && found.value.lastRun !== by) return kept(found.value);
  const scope = scopeKey(at);
  const foreign: Outcome['foreign'][number][] = [];
  for (const entry of line.entries.filter((one) => !isDeed(one))) {
    const claim = await readClaim(world, entry);
    const ours = !claim || (claim.scope === scope && claim.line === line.line) || (await isAbandoned(world, claim, entry));
    if (!ours) foreign.push({ label: entry.label, owner: ownerText(claim) });
  }
  const taken = new Set(foreign.map(({ label }) => label));
  return { line: line.line, does: 'restore', resources: line.entries.map(({ label }) => label).filter((label) => !taken.has(label)), foreign };
}

export const kept = ({ line, entries }: LedgerLine): Outcome => ({ line, does: 'keep', resources: entries.map(({ label }) => label), foreign: [] });

/**
 * Brings one ledger line back (P4): claims first, each of them anew, then the item over nothing or over what is damaged. A line that can be read
 * is never written over: it holds what is true now. A deed has no claim: the same step in another scope is another deed.
 *
 *     claim ─▶ crash here: a claim without an entry, which this run, or whoever wants the thing, takes again ─▶ item
 *
 * @throws LedgerMoved when somebody wrote the item meanwhile.
 */
export async function restoreLine(job: Restoring, line: LedgerLine, found: Found<LedgerLine>): Promise<Outcome> {
  if (found.is === 'there') return foresee(job, line, found, job.run);
  const { world, run, at, tenure, guard } = job;
  const scope = scopeKey(at);
  const entries: Entry[] = [];
  const foreign: Outcome['foreign'][number][] = [];
  for (const entry of line.entries) {
    if (isDeed(entry)) {
      entries.push(entry);
      continue;
    }
    guard.beforeWrite(world.timing.storeTimeout);
    const answer = await takeClaim(world, entry, scope, line.line);
    if (answer.ours) entries.push(entry);
    else foreign.push({ label: entry.label, owner: ownerText(answer.owner) });
  }
  guard.beforeWrite(world.timing.storeTimeout);
  const content = { ...line, entries, format: 1, fence: tenure.fence, lastRun: run };
  await put(job, ledgerKey(scope, line.line), content, found);
  return { line: line.line, does: 'restore', resources: entries.map(({ label }) => label), foreign };
}

/**
 * Brings the head back: history, tombstone and successor as the receipt tells them, that of an earlier recovery too. Runs that were open and
 * events that were noted are not in it.
 */
export async function restoreHead(job: Restoring, receipt: LatestReceipt, found: Found<unknown>): Promise<void> {
  const { history, kind, run, finishedAt, supersededBy } = receipt;
  if (found.is === 'there') return;
  const { world, at, tenure, guard } = job;
  const listed = { repo: at.repository, order: `scope#${at.scope}#${at.plan}#${at.environment}`, address: { ...at } };
  const destroyed = receipt.tombstone ?? (kind === 'destroy' ? { run, at: finishedAt } : undefined);
  const tombstone = destroyed ? { tombstone: destroyed } : {};
  const superseded = supersededBy === undefined ? {} : { supersededBy: { scope: supersededBy, run, round: 0, at: finishedAt, told: true } };
  guard.beforeWrite(world.timing.storeTimeout);
  await put(job, headKey(scopeKey(at)), { ...listed, format: 1, history, fence: tenure.fence, ...tombstone, ...superseded }, found);
}

async function put({ world }: Restoring, key: Key, content: Record<string, unknown>, found: Found<unknown>): Promise<void> {
  const when: Condition = found.is === 'damaged' ? all(present, asItIs(found.item)) : absent;
  const { won } = await write(world, key, (writeId) => ({ put: { ...content, version: writeId } }), when);
  if (!won) throw new LedgerMoved(`${key.sk} moved`);
}

const asItIs = ({ writeId }: Item): Condition => (typeof writeId === 'string' ? equal('writeId', writeId) : lacks('writeId'));
