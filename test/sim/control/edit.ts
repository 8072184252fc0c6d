import type { z } from 'zod';
import type { Scene } from '../world/world.ts';

/** Something a person or another program does to the cloud behind Lockkeeper's back: its input, and what it does. */
export interface Edit<Schema extends z.ZodType, Output> {
  readonly input: Schema;
  apply(input: z.output<Schema>, scene: Scene): Output;
}

/** Ties the input of an edit to what it does. */
export function edit<Schema extends z.ZodType, Output>(input: Schema, apply: (input: z.output<Schema>, scene: Scene) => Output): Edit<Schema, Output> {
  return { input, apply };
}
