import type { ProtocolMutant } from './mutant.ts';

export const leaseAndLedger: readonly ProtocolMutant[] = [];
