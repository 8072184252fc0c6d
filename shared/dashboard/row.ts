import type { ShownChange } from '../engine/op.ts';
import type { Code } from '../errors/codes.ts';
import type { Item } from '../ports/table.ts';
import type { RunKind, RunStatus } from '../run/report.ts';
import { isRecord, isText, refuseDamaged } from '../table/damaged.ts';
import type { Box } from './box.ts';

/**
 * How far what a fact says is known: the fence of the newest run of the scope that had settled when the look began, and when it began
 * (ISO 8601). Of two facts the one with the lower fence is the older, whatever the clocks say; under one fence the earlier one.
 */
export interface AsOf {
  readonly fence: number;
  readonly at: string;
}

/** Where a fact comes from. */
export interface Source {
  readonly run: string;
  readonly commit: string;
  readonly asOf: AsOf;
}

/** A run of the row's scope that is not over. */
export interface OpenRun {
  readonly run: string;
  readonly kind: RunKind;
  readonly commit: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** GitHub login of whoever started it, where that was a person. */
  readonly by?: string;
  /** The box whose tick started it. */
  readonly box?: Box;
  /** `asking`: it waits for a decision, and does nothing until then. `waiting`: for an event. Absent: it is at work. */
  readonly rests?: 'asking' | 'waiting';
}

/** One resource that the plan would write, in clear only where values may be seen. Masked. */
export interface PendingChange {
  readonly line: string;
  readonly change: ShownChange;
  /** It is not as the ledger has it, either: one write is both. */
  readonly drifted?: DriftedResource['kind'];
  /** Of one that drifted: when that was first seen, ISO 8601. */
  readonly firstSeen?: string;
}

/** Whether a change takes something away. */
export const destroys = ({ change }: PendingChange): boolean => change.kind === 'delete' || change.replaces === true;

/** One resource that is not as the ledger has it. Masked. */
export interface DriftedResource {
  readonly line: string;
  readonly label: string;
  /** `gone`: nothing is there. `replaced`: another one is there under its name. */
  readonly kind: 'changed' | 'gone' | 'replaced';
  /** With the sides, where the op may show them. */
  readonly fields: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  /** ISO 8601: when it was first seen so, and when it was last seen as recorded. */
  readonly firstSeen?: string;
  readonly lastClean?: string;
  /** The run that last wrote its line. */
  readonly lastRun?: string;
}

/** What a box stands for: something that would be written. */
interface Difference extends Source {
  /** SHA-256, hex, of exactly the effects: what a tick approves, and under which they are stored (`boxKey`). Absent: no box. */
  readonly digest?: string;
  /** Not everything is listed: there was no room in the item. */
  readonly more?: true;
}

export interface Pending extends Difference {
  readonly changes: readonly PendingChange[];
  /** How many resources of each kind, whether or not they are listed; what a person does and what is sent once are counted, too. */
  readonly counts: Partial<Readonly<Record<'create' | 'update' | 'replace' | 'delete' | 'adopt' | 'todo' | 'run', number>>>;
}

export interface Drift extends Difference {
  readonly resources: readonly DriftedResource[];
  readonly counts: Partial<Readonly<Record<DriftedResource['kind'], number>>>;
}

/** Why nobody can say what is pending. */
export interface FailedPreview extends Source {
  readonly code: Code;
  /** Masked. */
  readonly message: string;
}

/** Why nobody can say whether anything drifted: what was known before stays. */
export interface FailedCheck extends Source {
  readonly code: Code;
  /** How often in a row, and since when (ISO 8601). */
  readonly times: number;
  readonly since: string;
}

/** How the newest run that wrote, or wanted to, ended, where that was badly. */
export interface FailedRun {
  readonly run: string;
  readonly status: RunStatus;
  readonly code?: Code;
  readonly at: string;
}

/**
 * One plan file in one environment, in the scope `main`: the item `DASH#<repository>` / `ROW#<plan>#<environment>`; or one of its stacks, with `#<line>`
 * behind that. Facts, and no text; what state they come to tells {@link stateOf}.
 */
export interface Row {
  readonly repository: string;
  readonly plan: string;
  readonly environment: string;
  /** The line, of a row that is a stack's. Its tool does all of its plan or nothing: what is pending and what drifted have one box and one digest (ADR 0076). */
  readonly line?: string;
  readonly open?: OpenRun;
  readonly failed?: FailedPreview;
  readonly pending?: Pending;
  readonly drift?: Drift;
  readonly check?: FailedCheck;
  readonly lastFailed?: FailedRun;
  /** The newest run that applied something; where none ever did, that found nothing to do. */
  readonly applied?: { readonly run: string; readonly commit: string; readonly at: string; readonly by?: string };
  /** The newest run that put back what was ticked. */
  readonly repaired?: { readonly run: string; readonly at: string; readonly by?: string };
  /** When anybody last looked, and at which commit. */
  readonly seen?: Source;
  /** A run has written since, or tried to, and did not get where it wanted, or took away what was there: nobody can say that it is in sync. */
  readonly unsure?: true;
  /** Resources that are left of lines which the plan does not have any more. */
  readonly orphans?: number;
  readonly version: string;
}

export type RowState = 'deploying' | 'preview-failed' | 'pending' | 'drift' | 'in-sync' | 'unknown';

/** The first of these that holds (R2.17 to R2.19). `unknown`: nobody has looked yet, or not since a run wrote. */
export function stateOf(row: Pick<Row, 'open' | 'failed' | 'pending' | 'drift' | 'seen' | 'unsure'>): RowState {
  if (row.open && row.open.rests !== 'asking') return 'deploying';
  if (row.failed) return 'preview-failed';
  if (row.pending) return 'pending';
  if (row.drift) return 'drift';
  return row.seen && !row.unsure ? 'in-sync' : 'unknown';
}

/** Whether what one look says is older than what another said: an older fact never replaces a newer one. */
export const isOlder = (a: AsOf, b: AsOf | undefined): boolean => b !== undefined && (a.fence < b.fence || (a.fence === b.fence && a.at < b.at));

/** @throws LockkeeperError RECEIPT_VERSION, RECEIPT_CORRUPT. */
export function rowOf(item: Item): Row {
  refuseDamaged(
    item,
    `Item ${item.pk} ${item.sk}`,
    1,
    ({ plan, environment, version }) => isText(plan) && isText(environment) && isText(version) && isRecord(item),
  );
  return item as unknown as Row;
}
