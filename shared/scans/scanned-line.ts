import type { Effect } from '../approvals/effect.ts';
import type { DriftFields, Engine, Read } from '../drift/record.ts';
import type { ShownChange } from '../engine/op.ts';
import type { Problem } from '../errors/error.ts';
import type { DriftItem } from '../run/report.ts';

/**
 * Whether a line was looked at. `busy`: a run held the lease, or wrote the line, while it was read, so that what was read counts for nothing;
 * `cannot`: what it stands for cannot be read (a person's work, a request that is sent once).
 */
export type Looked = 'yes' | 'busy' | 'cannot' | 'failed';

/**
 * One resource of a line as a scan found it. Drift and what the plan has pending are two things: `drifted`: what is live is not what the ledger
 * recorded; `pending`: the plan wants something else than what was recorded. Both may hold, and then one write is both (ADR 0066).
 */
export interface ScannedResource {
  readonly key: string;
  readonly label: string;
  /** The provider's id, where it may be stored. */
  readonly id?: string;
  /** Adapter, account and key as JSON: as in {@link Effect.address}. */
  readonly address: string;
  readonly drifted?: 'changed' | 'missing' | 'replaced';
  readonly pending?: true;
  /** A person has it left as it is until then. It is not counted as drift. */
  readonly accepted?: NonNullable<DriftItem['accepted']>;
  /** Policy lets these paths, or the whole resource where there is no path, differ. A resource of which all is ignored is not drifted. */
  readonly ignored?: readonly { readonly path?: string; readonly reason: string }[];
  /** Of one of which all is ignored: nothing is there. */
  readonly gone?: true;
  /**
   * Before: what is live. After: what the plan wants. Values stand in it only where the op may show them. Ignored paths are left out, and all of
   * it where nothing differs.
   */
  readonly change?: ShownChange;
  /** What writing it would do: of drift alone, its repair. Absent where nothing would be written. */
  readonly effect?: Effect;
  /** Of exactly this drift, SHA-256 in hex: another edit has another one, and the plan's own wishes have no part in it. */
  readonly fingerprint?: string;
}

/** The same with what earlier looks knew of it. */
export interface KnownResource extends ScannedResource {
  /** Of one that has drifted: since when, without a clean look in between, ISO 8601. */
  readonly firstSeen?: string;
}

/** What a scan's job yields of its line, beside the status and the changes that a plan of it shows. */
export interface ScannedLine {
  readonly looked: Extract<Looked, 'yes' | 'busy' | 'cannot'>;
  readonly resources: readonly ScannedResource[];
  /** What an apply would do beside resources: a step for a person, a request to send. */
  readonly deeds?: readonly Effect[];
  /** The output it waits for, as a reference: until that is known, nobody knows what to look for. */
  readonly waits?: string;
  /** Of a stack. Where the tool's plan failed, what it told all the same. */
  readonly stack?: StackLook;
}

/** What a stack's tool told of all of its resources, and the effect of the stack as a whole where there is anything to do. */
export interface StackLook {
  readonly engine?: Engine;
  readonly read?: Read;
  /** Of the tool. */
  readonly version?: string;
  readonly records: readonly ToldRecord[];
  /** How many more there are that are as they should be. */
  readonly more?: number;
  readonly head?: Effect;
}

/** A record without what is the same of all of them. */
export type ToldRecord = Pick<DriftFields, 'address' | 'status'> &
  Partial<Pick<DriftFields, 'resourceType' | 'unobserved' | 'attributes' | 'attributesUnobserved' | 'ownership' | 'fellBackFrom'>>;

/** Why a line that was to be looked at was not: its preview failed, or its provider could not be asked. */
export interface FailedLook {
  readonly step: 'preview' | 'check';
  readonly problem: Problem;
}
