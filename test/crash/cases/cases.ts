import { adoptionCases } from './adoptions.ts';
import { cardCases } from './cards.ts';
import type { Case } from './case.ts';
import { claimCases } from './claims.ts';
import { clockCases } from './clocks.ts';
import { decisionCases } from './decisions.ts';
import { handoverCases } from './handovers.ts';
import { intakeCases } from './intake.ts';
import { intentCases } from './intents.ts';
import { jobCases } from './jobs.ts';
import { leaseCases } from './lease.ts';
import { parentCases } from './parents.ts';
import { phaseCases } from './phases.ts';
import { questionCases } from './questions.ts';
import { receiptCases } from './receipts.ts';
import { roundCases } from './rounds.ts';
import { stopCases } from './stops.ts';
import { waitingCases } from './waiting.ts';

/** Every counterexample of the models that is played against the real code. */
export const cases: readonly Case[] = [
  ...leaseCases,
  ...claimCases,
  ...jobCases,
  ...phaseCases,
  ...stopCases,
  ...intakeCases,
  ...waitingCases,
  ...parentCases,
  ...receiptCases,
  ...questionCases,
  ...cardCases,
  ...roundCases,
  ...decisionCases,
  ...adoptionCases,
  ...handoverCases,
  ...intentCases,
  ...clockCases,
];
