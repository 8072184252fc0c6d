import type { ProtocolMutant } from './mutant.ts';

export const decisions: readonly ProtocolMutant[] = [];
