import type { ProtocolMutant } from './mutant.ts';

export const jobsAndPhases: readonly ProtocolMutant[] = [];
