/** How what has become of a stack is written into its line of the ledger. */
import { dropClaim, readClaim } from '../ledger/claim.ts';
import type { Entry, LedgerLine } from '../ledger/entry.ts';
import { identityHash } from '../ledger/identity.ts';
import { saveLedgerLine } from '../ledger/ledger-line.ts';
import type { RunLine } from '../run/items.ts';
import { isOpen, type ToolRecord } from '../stacks/tool-record.ts';
import type { Applying } from './applying.ts';
import { entryOf } from './evidence.ts';
import type { RunSecrets } from './run-secrets.ts';
import { untouchedEntry } from './stack-entry.ts';
import type { StackInHand } from './stack-job.ts';

/** A stack's line under its run's lease. */
export interface ApplyingStack extends Applying {
  readonly line: RunLine;
  readonly secrets: RunSecrets;
  readonly hand: StackInHand;
}

export function saveEntry({ world, scope, tenure, run, ledger, line, hand }: ApplyingStack, entry: Entry): Promise<LedgerLine> {
  const { adapter, op, needs } = line.spec;
  return saveLedgerLine(world, scope, tenure, run.id, ledger, { entries: replaced(ledger, hand, entry), adapter, op, needs });
}

function replaced(ledger: LedgerLine, hand: StackInHand, entry: Entry | undefined): Entry[] {
  const wanted = identityHash(hand.identity);
  return [...ledger.entries.filter((one) => identityHash(one) !== wanted), ...(entry ? [entry] : [])];
}

/** A job that wrote nothing leaves the stack as it was known before: one that was new here is not held any more, and the claim goes with it. */
export async function recordNothing(job: ApplyingStack, record: ToolRecord | undefined): Promise<void> {
  const { world, scope, run, line, hand } = job;
  const isNew = (entry: Entry) => entry.run === run.id && entry.cleanAt === undefined && entry.updatedBy === undefined;
  const entry = entryOf(job.ledger, hand.identity);
  const claim = entry && isNew(entry) ? await readClaim(world, hand.identity) : undefined;
  await recordEnd(job, record, (one) => (isNew(one) ? undefined : untouchedEntry(one)));
  if (claim?.scope === scope && claim.line === line.spec.id) await dropClaim(world, hand.identity, claim);
}

/**
 * What is known of the stack now, and that its job is over, in one write: whoever comes later finds both or neither. Like everything that a provider
 * has answered it is recorded even when the job's time is nearly up.
 *
 * @param next what the entry comes to; undefined: it goes.
 */
export async function recordEnd(
  { world, scope, tenure, run, ledger, hand }: ApplyingStack,
  record: ToolRecord | undefined,
  next: (entry: Entry) => Entry | undefined,
): Promise<void> {
  const entry = entryOf(ledger, hand.identity);
  const entries = entry ? { entries: replaced(ledger, hand, next(entry)) } : {};
  const external = record && isOpen(record) ? { external: { ...record, ended: world.clock.now() } } : {};
  if (Object.keys(entries).length === 0 && Object.keys(external).length === 0 && !ledger.left) return;
  await saveLedgerLine(world, scope, tenure, run.id, ledger, { ...entries, ...external, ...(ledger.left ? { left: null } : {}) });
}
