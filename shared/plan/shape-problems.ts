import type { Problem } from '../errors/error.ts';
import { type Judged, shapeProblems as problemsOfShape } from '../yaml/shape-problems.ts';
import { isBrokenForm } from './form-rules.ts';

/** What a schema finds wrong with a part of the plan file. What is wrong inside a value form has been told by the rules of the forms. */
export const shapeProblems = (judged: Omit<Judged, 'toldBefore'>): Problem[] => problemsOfShape({ ...judged, toldBefore: isBrokenForm });
