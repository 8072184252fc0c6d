import type { CredentialSpec } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';

/**
 * The value of a credential that `line` cannot do without.
 *
 * @throws LockkeeperError PROVIDER_AUTH when it is missing, blank, or holds a character no header can carry. The value is never shown.
 */
export function requireCredential(spec: CredentialSpec, values: Readonly<Record<string, string>>, line: string): string {
  const value = Object.hasOwn(values, spec.variable) ? values[spec.variable] : undefined;
  if (value === undefined || value.trim() === '') throw unusable(spec, line, 'is not set');
  // A line break copied along with a token is the usual case; fetch would answer with an error that quotes the header.
  if (!/^[\x21-\x7e]+$/.test(value)) throw unusable(spec, line, 'holds blanks, line breaks or other characters that no token has');
  return value;
}

/** Where a person gets a credential, as a sentence. */
export const whereFrom = ({ variable, createAt }: CredentialSpec): string =>
  createAt === undefined ? `Store it as ${variable} where the secrets of this environment lie.` : `Create one at ${createAt}.`;

function unusable(spec: CredentialSpec, line: string, what: string): LockkeeperError {
  return new LockkeeperError({
    code: 'PROVIDER_AUTH',
    message: `Line \`${line}\` needs ${spec.variable}, which ${what}. ${whereFrom(spec)}`,
    details: { variable: spec.variable, line },
  });
}
