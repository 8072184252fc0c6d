import type { SecretSource } from '../secrets/source.ts';

/** Stands in for every secret and credential beside the fake cloud: what is real is neither sent to a fake nor kept in its file. */
export const simulatedSource: SecretSource = {
  resolve: async (_environment, name) => ({ found: true, value: `simulated-${name.toLowerCase()}` }),
};
