import type { Case } from './case.ts';
import { jobCases } from './jobs.ts';

/** Every counterexample of the models that is played against the real code. */
export const cases: readonly Case[] = [...jobCases];
