import type { Problem } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import type { Identity } from '../ledger/identity.ts';
import type { Ruling } from '../rulings/ruling.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import type { Standing } from './evidence.ts';
import type { Verdict } from './judge.ts';
import type { LiveResource, Op, OpCall, Reading, ResourceChange } from './op.ts';
import type { ResolvedParams } from './value.ts';

/** One resource of a line: what is wanted, what is live, what is remembered, and what to do. */
export interface Judged {
  readonly change: ResourceChange;
  readonly identity: Identity;
  readonly live: LiveResource | undefined;
  readonly standing: Standing;
  readonly verdict: Verdict;
}

export interface Inspection {
  readonly reading: Reading<unknown>;
  readonly resources: readonly Judged[];
  /** The first refusal, when there is one: the whole line is refused with it. */
  readonly refusal?: Problem;
  /** A person's word that something of it rests on: an acceptance that leaves the line, a lift that lets it take something over. */
  readonly accepted?: Ruling;
  readonly lift?: Ruling;
}

/** What an inspection needs of its job. */
export interface Inspecting {
  readonly world: World;
  readonly run: Run;
  readonly scope: string;
  readonly line: Pick<RunLine, 'spec'>;
  readonly op: Op;
  readonly call: OpCall;
  readonly params: ResolvedParams;
  readonly ledger: LedgerLine | undefined;
  /** The object that the line's resources are parts of ({@link Op.lockOn}). */
  readonly parent?: string | undefined;
}
