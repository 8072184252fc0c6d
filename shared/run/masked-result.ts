import { maskProblem } from '../engine/line-call.ts';
import { maskedScan } from '../scans/masked.ts';
import type { LineResult } from './items.ts';
import type { World } from './world.ts';

/**
 * A line's result as it may be shown, but for its outputs. Effects stay: they hold names and fingerprints alone, and are compared letter by letter; a
 * secret that happens to read `create` must not make what was approved look like something else. So do names of objects, and what opens them.
 */
export function maskedResult(world: World, { outputs, problem, effects, seen, scanned, stack, ...rest }: LineResult): LineResult {
  const named = {
    ...(effects ? { effects } : {}),
    ...(seen ? { seen } : {}),
    ...(scanned ? { scanned: maskedScan(world, scanned) } : {}),
    ...(stack ? { stack } : {}),
  };
  return { ...world.redactor.maskJson(rest), outputs, ...named, ...(problem ? { problem: maskProblem(world, problem) } : {}) };
}
