import { decisions } from './decisions.ts';
import { jobsAndPhases } from './jobs-and-phases.ts';
import { leaseAndLedger } from './lease-and-ledger.ts';
import type { ProtocolMutant } from './mutant.ts';

/** Every mutant of the protocol's list, in its order. */
export const protocolMutants: readonly ProtocolMutant[] = [...leaseAndLedger, ...jobsAndPhases, ...decisions];
