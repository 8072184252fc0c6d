import { type Code, codes } from './codes.ts';

/** Where in a file: 1-based line and column. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What went wrong, as every layer reports it: one shape, one renderer. */
export interface Problem {
  readonly code: Code;
  /** One sentence for a person, redacted. */
  readonly message: string;
  readonly hint?: string;
  readonly at?: Position;
  /** Further facts for programs; never a secret value. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error with a code from the table. Everything thrown on purpose is one. */
export class LockkeeperError extends Error {
  override readonly name = 'LockkeeperError';
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = { hint: codes[problem.code].hint, ...problem };
  }

  get code(): Code {
    return this.problem.code;
  }
}

/** Whether whoever meets it is to come back later instead of failing: a store that does not answer, a provider that asks for a pause. */
export const comesBack = (error: LockkeeperError): boolean => error.code === 'STORE_UNREACHABLE' || error.code === 'PROVIDER_AGAIN';

/** Whether a code says that nobody can tell what a scope manages: what is stored of it is damaged, newer than this version, or gone. */
export const isUnreadable = (code: Code | undefined): boolean => code === 'RECEIPT_CORRUPT' || code === 'RECEIPT_VERSION' || code === 'LEDGER_LOST';

/** Whatever was thrown, as a problem: a coded one as it is, anything else as INTERNAL with its name. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof LockkeeperError) return thrown.problem;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { code: 'INTERNAL', message: error.message, hint: codes.INTERNAL.hint, details: { name: error.name } };
}
