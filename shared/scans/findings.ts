import type { Effect } from '../approvals/effect.ts';
import type { LineEffects } from '../approvals/effects-document.ts';
import type { AsOf } from '../dashboard/row.ts';
import type { Problem } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import type { DriftItem } from '../run/report.ts';
import type { ScanCause } from './scan-start.ts';
import type { FailedLook, KnownResource, Looked, StackLook } from './scanned-line.ts';

/** What a scan says of one line, with what earlier ones said where this one could not see. */
export interface LineFinding {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  readonly looked: Looked;
  /** Where `looked` is `cannot`: the output that the line waits for, as a reference. */
  readonly waits?: string;
  /** Where `looked` is `failed`: how often in a row, and since when (ISO 8601). The resources are those of the last look that succeeded. */
  readonly failed?: FailedLook & { readonly times: number; readonly since: string };
  /** Every resource that a look which counted has seen: pending, drifted, both, accepted, or as it should be. */
  readonly resources: readonly KnownResource[];
  /** Steps for a person and requests to send, as effects. */
  readonly deeds: readonly Effect[];
  /** Last look that found nothing drifted, ISO 8601. */
  readonly cleanAt?: string;
  /** The run that wrote the line last. */
  readonly lastRun?: string;
  /** Fingerprints of its drift that people have not been told of before. */
  readonly news?: readonly string[];
  /** Of a line that is a stack: what its tool told, and what the box of its own row stands for. */
  readonly stack?: { readonly look?: StackLook; readonly box?: Boxed };
}

/**
 * What a scan hands to whoever shows it, once, when it ends. The order of the lines is the plan's.
 *
 * `apply` and `repair`: what a box on the dashboard binds to. A resource that both drifted and has something pending is in `apply` alone,
 * since one write is both (ADR 0066). Absent: there is nothing to apply, or to repair. Stacks are in neither: each has a row and a box of its own.
 */
export interface Findings {
  readonly run: string;
  readonly repository: Repository;
  readonly plan: string;
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly by: ScanCause;
  /** When the scan began and ended, ISO 8601. An older scan's findings never replace a newer one's. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** How far it knows the scope. */
  readonly asOf: AsOf;
  /** Only some lines were looked at: of the others earlier findings stand. */
  readonly partial?: true;
  readonly lines: readonly LineFinding[];
  readonly apply?: Boxed;
  readonly repair?: Boxed;
  /** As a plan run tells them: orphans, and what nobody manages. */
  readonly beside: readonly DriftItem[];
  /** Resources that rules of `drift.ignore` name and no line has. */
  readonly unmatched?: readonly string[];
  /** The plan could not be made at all: no line was looked at. */
  readonly problem?: Problem;
}

/** What one box covers: effects by line, stored under their digest (`findEffects`). */
export interface Boxed {
  /** SHA-256 in hex. */
  readonly digest: string;
  readonly lines: LineEffects;
}
