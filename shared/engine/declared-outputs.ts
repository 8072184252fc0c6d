import type { Params } from '../plan/types.ts';
import type { Op, OutputSpec } from './op.ts';

/** Every output a line has: its op's, and those that its own parameters declare. */
export const declaredOutputs = (op: Pick<Op, 'outputs' | 'outputsFor'>, params: Params): Readonly<Record<string, OutputSpec>> =>
  op.outputsFor === undefined ? op.outputs : { ...op.outputs, ...op.outputsFor(params) };
