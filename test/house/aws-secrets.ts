import type { SecretReference } from '../../shared/secrets/reference.ts';
import type { SecretSource } from '../../shared/secrets/source.ts';

/** The sources of a deployed stack in a map: by `<environment>/<name>` below `lockkeeper/`, or by the name that is written out. */
export function inAws(values: ReadonlyMap<string, string>): SecretSource {
  return {
    async resolve(environment, reference) {
      const name = nameOf(environment, reference);
      const value = values.get(name);
      return value === undefined ? { found: false, why: `the secret lockkeeper/${name} does not exist, or has no value` } : { found: true, value };
    },
  };
}

function nameOf(environment: string, reference: SecretReference): string {
  if (reference.scheme === 'env') return `${environment}/${reference.name}`;
  if (reference.scheme === 'aws-sm') return reference.key === undefined ? reference.id : `${reference.id}#${reference.key}`;
  return reference.scheme === 'op' ? reference.address : reference.name;
}
