import { moveClaim } from '../ledger/claim.ts';
import { type Entry, everWritten, type LedgerLine } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { LedgerMoved, readLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import type { Applying } from './applying.ts';
import type { Standing } from './evidence.ts';
import type { Judged } from './inspecting.ts';

/**
 * A renamed line takes the entry of the line that vanished: copy, then the claim, then the old entry goes (P4). A copy
 * without its claim is neither written nor destroyed, so a crash between any two leaves one owner. The copy says whom it is
 * from, until it is recorded anew: an attempt that finds it so does what is left of the three. Where the old line wrote comes with it (I7).
 * Returns this line's part of the ledger with the entry in it.
 */
export const inheritEntry = (job: Applying, resource: Judged, inherited: NonNullable<Standing['inherited']>): Promise<LedgerLine> =>
  inheritIdentity(job, resource.identity, inherited);

/** The same of whatever has an identity. */
export async function inheritIdentity(job: Applying, identity: Identity, inherited: NonNullable<Standing['inherited']>): Promise<LedgerLine> {
  const { world, scope, tenure, run, line, guard } = job;
  const { claim } = inherited;
  const from = await readLedgerLine(world.table, scope, inherited.from.line); // another resource of the line may just have left it
  if (!from) return job.ledger;
  const wanted = identityHash(identity);
  const entry = from.entries.find((one) => identityHash(one) === wanted);
  if (!entry) return job.ledger;
  guard.beforeWrite(3 * world.timing.storeTimeout);
  const others = (entries: readonly Entry[]) => entries.filter((one) => identityHash(one) !== wanted);
  const copy = { ...entry, takenFrom: from.line };
  const copied = await saveLedgerLine(world, scope, tenure, run.id, job.ledger, {
    entries: [...others(job.ledger.entries), copy],
    ...whereWritten(job.ledger, from),
  });
  const ours = claim.line === line.spec.id || (await moveClaim(world, identity, claim, line.spec.id));
  if (!ours) throw new LedgerMoved(`the claim on ${identity.key} moved`);
  await saveLedgerLine(world, scope, tenure, run.id, from, { entries: others(from.entries) });
  return copied;
}

/** What the taking line must say from now on of the environments it holds something of. */
export function whereWritten(to: Pick<LedgerLine, 'writes' | 'wrote'>, from: LedgerLine): Pick<LedgerLine, 'wrote' | 'protected'> {
  const wrote = everWritten(from, { wrote: to.wrote ?? [] }).filter((environment) => environment !== to.writes);
  return { ...(wrote.length > 0 ? { wrote } : {}), ...(from.protected ? { protected: true } : {}) };
}
