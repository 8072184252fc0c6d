import type { Engine } from '../record.ts';

/** The engines whose output there is a reader for. */
export const readEngines = ['terraform', 'tofu', 'choudoufu', 'chant', 'pulumi', 'plunge'] as const satisfies readonly Engine[];
