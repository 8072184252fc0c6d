import type { Case } from './case.ts';
import { intakeCases } from './intake.ts';
import { jobCases } from './jobs.ts';
import { parentCases } from './parents.ts';
import { phaseCases } from './phases.ts';
import { questionCases } from './questions.ts';
import { stopCases } from './stops.ts';
import { waitingCases } from './waiting.ts';

/** Every counterexample of the models that is played against the real code. */
export const cases: readonly Case[] = [...jobCases, ...phaseCases, ...stopCases, ...intakeCases, ...waitingCases, ...parentCases, ...questionCases];
