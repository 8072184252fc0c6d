import type { Case } from './case.ts';
import { jobCases } from './jobs.ts';
import { phaseCases } from './phases.ts';
import { stopCases } from './stops.ts';

/** Every counterexample of the models that is played against the real code. */
export const cases: readonly Case[] = [...jobCases, ...phaseCases, ...stopCases];
