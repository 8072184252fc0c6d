import { type DriftDocument, driftDocument } from './document.ts';
import type { DriftRecord } from './record.ts';

/** Why a read could not run (R3.28). */
export const readErrors = ['member-required', 'no-drift-read', 'read-unsupported', 'resource-unsupported', 'env-required', 'command-failed'] as const;
export type ReadError = (typeof readErrors)[number];

/** What a command that reads one member prints: the document with the head of the read contract beside it (R3.32). */
export interface ReadDocument extends DriftDocument {
  readonly contract: 1;
  /** Absent where it is not known which. */
  readonly member?: string;
  /** The read could not run: there are no records. */
  readonly error?: { readonly code: ReadError; readonly message: string };
}

export interface Reader {
  readonly member?: string | undefined;
  /** Version of Lockkeeper. */
  readonly lockkeeper?: string | undefined;
}

/** What a read found, with further fields about it, as the environment. */
export function readDocument({ member, lockkeeper }: Reader, records: Iterable<DriftRecord>, about: Readonly<Record<string, unknown>> = {}): ReadDocument {
  const { $schema, drift, ...document } = driftDocument(records, lockkeeper);
  return { $schema, drift, contract: 1, ...(member === undefined ? {} : { member }), ...about, ...document };
}

/** The document of a read that could not run (R3.28). */
export const failedRead = (by: Reader, code: ReadError, message: string): ReadDocument => ({ ...readDocument(by, []), error: { code, message } });

/**
 * Whether something was changed outside: what `--fail-on-drift` fails on. Changes that are pending, and what nobody declares, are no drift; what
 * nobody could read is none either.
 */
export const hasDrift = ({ counts }: Pick<DriftDocument, 'counts'>): boolean => counts.drifted + counts.missing + counts.unclaimed > 0;
