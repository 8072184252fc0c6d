import type { Entry } from '../ledger/entry.ts';
import type { Identity } from '../ledger/identity.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';
import type { Applying } from './applying.ts';

/** What is recorded of a deed beside what kind it is. */
export interface Deed extends Pick<Entry, 'manual' | 'action'> {
  readonly identity: Identity;
  readonly label: string;
  readonly fingerprint: Fingerprint;
  /** The entry whose place it takes: its place in the order of creation stays. */
  readonly before: Entry | undefined;
}

/** A deed as the ledger remembers it. */
export function deedEntry({ world, op, line, run, tenure }: Applying, { identity, label, fingerprint, before, ...kind }: Deed): Entry {
  return {
    adapter: op.adapter,
    op: op.name,
    opVersion: op.version,
    provider: line.spec.provider,
    account: identity.account,
    key: identity.key,
    id: identity.key,
    label,
    fingerprint,
    createdBy: 'lockkeeper',
    run: run.id,
    fence: tenure.fence,
    sequence: before?.sequence ?? world.ids.fresh(),
    cleanAt: new Date(world.clock.now()).toISOString(),
    ...kind,
  };
}
