import { whereWritten } from '../engine/inherit.ts';
import type { Tenure } from '../lease/lease.ts';
import { type Claim, moveClaim, readClaim } from '../ledger/claim.ts';
import { type Entry, isDeed, type LedgerLine } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import { createLedgerLine, LedgerMoved, largestLine, readLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import { passOn, readRulings, useUp } from '../rulings/ruling.ts';
import { Again } from '../run/again.ts';
import type { Deadline } from '../run/deadline.ts';
import type { ControlWorld } from '../run/world.ts';

/** One of the two scopes, under the run's lease on it. */
export interface Side {
  readonly scope: string;
  readonly tenure: Tenure;
}

/** A hand-over between two scopes that one run holds both leases of. Its deadline is the earlier of the two. */
export interface HandOver {
  readonly world: ControlWorld;
  readonly run: string;
  readonly from: Side;
  readonly to: Side;
  readonly guard: Deadline;
}

/** An entry that may go, with the claim that says so; a deed has none, and goes with its line. */
interface Going {
  readonly entry: Entry;
  readonly claim?: Claim;
}

/**
 * Hands a ledger line's entries over to the line of the same name in the other scope (P4):
 *
 *     what people said of the line ─▶ copies into the new line ─▶ each claim ─▶ originals out of the old line ─▶ nothing said of it any more
 *
 * The owner of a resource is the line its claim names, and at every instant that line holds its entry: before a claim moved it is the old
 * one, afterwards the new one; the other entry is a copy, which is neither written nor destroyed. What the old line holds without its claim
 * is a copy itself and stays. What people ruled about the line goes with it: the new scope has it before it owns anything, and a newer word there
 * stands. Repeated after a death, it does what is left. Returns how many entries went.
 *
 * @throws Again when too little time is left for a step; LedgerMoved when somebody else wrote meanwhile.
 */
export async function handOverLine(job: HandOver, old: LedgerLine): Promise<number> {
  const going = await goingFrom(job, old);
  if (going.length === 0) return 0;
  const said = await readRulings(job.world.table, job.from.scope, old.line);
  for (const ruling of said) await passOn(job.world, ruling, job.to.scope);
  if (!(await copyInto(job, old, going))) return 0;
  for (const one of going) await swap(job, one, old.line);
  await letGo(job, old, going);
  for (const ruling of said) await useUp(job.world, job.from.scope, job.run, ruling);
  return going.length;
}

/** Those whose claim names the old line, and those whose claim an attempt that died has moved already. */
async function goingFrom({ world, from, to }: HandOver, { line, entries }: LedgerLine): Promise<Going[]> {
  const deeds = entries.filter(isDeed).map((entry) => ({ entry }));
  const resources = entries.filter((entry) => !isDeed(entry));
  const claimed = await Promise.all(resources.map(async (entry) => ({ entry, claim: await readClaim(world, entry) })));
  const going = claimed.flatMap(({ entry, claim }) => (claim && claim.line === line && [from.scope, to.scope].includes(claim.scope) ? [{ entry, claim }] : []));
  return [...going, ...deeds];
}

/** False: they do not fit into one item beside what is there; the line stays where it is. A copy whose claim has moved is newer than its original. */
async function copyInto(job: HandOver, old: LedgerLine, going: readonly Going[]): Promise<boolean> {
  const { world, to, run, guard } = job;
  const line = await lineIn(job, old);
  const held = new Map(line.entries.map((entry) => [identityHash(entry), entry]));
  for (const { entry, claim } of going) {
    const { takenFrom: _half, ...copy } = entry;
    const isNewer = (claim === undefined || claim.scope === to.scope) && held.has(identityHash(entry));
    if (!isNewer) held.set(identityHash(entry), copy);
  }
  const entries = [...held.values()];
  if (Buffer.byteLength(JSON.stringify(entries)) > largestLine) return false;
  const places = whereWritten(line, old);
  guard.beforeWrite(world.timing.storeTimeout);
  await saveLedgerLine(world, to.scope, to.tenure, run, line, { entries, ...places });
  return true;
}

/** What is read may have taken long: time is looked at right before each write, since no fence refuses the insert of what is not there (P4). */
async function lineIn({ world, to, run, guard }: HandOver, old: LedgerLine): Promise<LedgerLine> {
  const found = await readLedgerLine(world.table, to.scope, old.line);
  if (found) return found;
  guard.beforeWrite(world.timing.storeTimeout);
  const { entries: _entries, version: _version, fence: _fence, lastRun: _lastRun, ...facts } = old;
  await createLedgerLine(world, to.scope, to.tenure, run, facts);
  const made = await readLedgerLine(world.table, to.scope, old.line);
  // Whoever took the scope meanwhile has taken it down.
  if (!made) throw new Again(`line ${old.line} is gone again`, 0);
  return made;
}

async function swap({ world, to, guard }: HandOver, { entry, claim }: Going, line: string): Promise<void> {
  if (claim === undefined || claim.scope === to.scope) return;
  guard.beforeWrite(world.timing.storeTimeout);
  if (!(await moveClaim(world, entry, claim, line, to.scope))) throw new LedgerMoved(`the claim on ${entry.key} moved`);
}

async function letGo({ world, from, run, guard }: HandOver, old: LedgerLine, going: readonly Going[]): Promise<void> {
  guard.beforeWrite(world.timing.storeTimeout);
  const gone = new Set(going.map(({ entry }) => identityHash(entry)));
  const entries = old.entries.filter((entry) => !gone.has(identityHash(entry)));
  await saveLedgerLine(world, from.scope, from.tenure, run, old, { entries });
}
