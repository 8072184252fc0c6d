import { LockkeeperError } from '../../shared/errors/error.ts';
import type { Scheme, SecretReference } from '../../shared/secrets/reference.ts';
import type { SecretSource } from '../../shared/secrets/source.ts';

type Of<S extends Scheme> = Extract<SecretReference, { scheme: S }>;

/** One scheme of AWS in a map: the name of a reference there is as `nameOf` says. An `Error` in the place of a value: AWS does not answer. */
export function inAws<S extends Scheme>(values: ReadonlyMap<string, string | Error>, nameOf: (environment: string, reference: Of<S>) => string): SecretSource {
  return {
    async resolve(environment, reference) {
      const name = nameOf(environment, reference as Of<S>);
      const value = values.get(name);
      if (value instanceof Error) throw new LockkeeperError({ code: 'STORE_UNREACHABLE', message: `reading the secret ${name} failed: ${value.message}` });
      return value === undefined ? { found: false, why: `the secret lockkeeper/${name} does not exist, or has no value` } : { found: true, value };
    },
  };
}
