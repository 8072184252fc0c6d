import type { Scheme } from '../secrets/reference.ts';
import type { SecretSource } from '../secrets/source.ts';

/** A source that hands each reference to the one of its scheme. A text in the place of a source says why it is not served here. */
export function byScheme(sources: Readonly<Record<Scheme, SecretSource | string>>): SecretSource {
  return {
    async resolve(environment, reference) {
      const source = sources[reference.scheme];
      return typeof source === 'string' ? { found: false, why: source } : source.resolve(environment, reference);
    },
  };
}

/** Why commands of a person's machine are not run in a deployed stack, and what to write there. */
export const terminalOnly = (scheme: Scheme, prefix: string): string =>
  `${scheme}:// is read by a command on a person's machine and works on a terminal alone; in a deployed stack write env://NAME (the secret ${prefix}/<environment>/NAME), aws-sm:// or ssm://`;
