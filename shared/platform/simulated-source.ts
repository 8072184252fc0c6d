import type { SecretReference } from '../secrets/reference.ts';
import type { SecretSource } from '../secrets/source.ts';

/** Stands in for every secret and credential beside the fake cloud: what is real is neither sent to a fake nor kept in its file. */
export const simulatedSource: SecretSource = {
  resolve: async (_environment, reference) => ({ found: true, value: `simulated-${nameOf(reference).toLowerCase()}` }),
};

function nameOf(reference: SecretReference): string {
  if (reference.scheme === 'env' || reference.scheme === 'doppler') return reference.name;
  if (reference.scheme === 'ssm') return slug(reference.name);
  return slug(reference.scheme === 'op' ? reference.address : [reference.id, reference.key ?? ''].join('-'));
}

const slug = (text: string): string => text.replace(/[^\w]+/g, '-').replace(/^-|-$/g, '');
