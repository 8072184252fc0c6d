import type { z } from 'zod';
import type { Step } from './scenario.ts';
import type { Outcome, Stage } from './stage.ts';

/** One kind of step: what it is told, and how it is done. */
export interface Move {
  readonly input: z.ZodType;
  perform(stage: Stage, input: never, step: Step): Promise<Outcome>;
}

/** Ties what a move is told to how it is done. */
export const move = <Schema extends z.ZodType>(input: Schema, perform: (stage: Stage, input: z.output<Schema>, step: Step) => Promise<Outcome>): Move => ({
  input,
  perform,
});
