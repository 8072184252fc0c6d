import type { Problem } from '../../shared/errors/error.ts';
import type { Answer } from './answer.ts';
import type { CommandName } from './invocation.ts';

/** `--json`'s one document. `ok` is true exactly when the exit code is 0; `error` is there exactly when it is not. */
export type Envelope =
  | { readonly ok: true; readonly command: string }
  | { readonly ok: false; readonly command: string | null; readonly error: { readonly code: string; readonly message: string; readonly hint?: string } };

export function envelopeOf(command: CommandName, { exit, problem, document }: Pick<Answer, 'exit' | 'problem' | 'document'>): Envelope {
  const fields = Object.entries(document).filter(([name]) => !['ok', 'command', 'error'].includes(name));
  if (exit === 0) return { ok: true, command, ...Object.fromEntries(fields) };
  const error = errorOf(problem ?? { code: 'INTERNAL', message: `The command ended with ${exit} and did not say why.` });
  return { ok: false, command, error, ...Object.fromEntries(fields) };
}

/** The envelope of a command that stopped. */
export const failureEnvelope = (command: CommandName | null, problem: Problem): Envelope => ({ ok: false, command, error: errorOf(problem) });

/** Details never stand over code, message or hint. */
function errorOf({ code, message, hint, at, details }: Problem) {
  return { ...details, ...(at ? { at } : {}), code, message, ...(hint === undefined ? {} : { hint }) };
}
