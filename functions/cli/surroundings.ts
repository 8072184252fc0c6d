import type { Redactor } from '../../shared/redact/redactor.ts';
import type { Console } from './console.ts';

/** What a command finds around it. */
export interface Surroundings {
  /** Folder it was started in. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly console: Console;
  readonly redactor: Redactor;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** What the emulators and functions say; for debugging. */
  readonly log: (message: string, error?: unknown) => void;
}
