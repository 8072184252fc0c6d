import type { SecretSource } from '../secrets/source.ts';
import type { Environment } from './clients.ts';

/** `env://` from the variables of the process: for the command line, where the environment of the run makes no difference. */
export function environmentSource(environment: Environment): SecretSource {
  return {
    async resolve(_environment, reference) {
      if (reference.scheme !== 'env') return { found: false, why: `${reference.scheme}:// is no variable` };
      const { name } = reference;
      const value = environment[name];
      if (value === undefined) return { found: false, why: `the variable ${name} is not set` };
      if (value === '') return { found: false, why: `the variable ${name} is empty` };
      return { found: true, value };
    },
  };
}
