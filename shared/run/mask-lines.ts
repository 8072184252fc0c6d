import type { LineResult, RunLine } from './items.ts';
import { maskedResult } from './masked-result.ts';
import { saveLine } from './run-store.ts';
import type { World } from './world.ts';

/**
 * The lines of a round as they may be shown, and stored again where that differs: a line that ended before another one's provider marked a
 * value could not know it. Read its end with every sensitive output of the round registered (`openEverySecret`).
 *
 *     masked ──▶ crash here, or the answer lost ──▶ masked again: the same
 *
 * A line that has moved on meanwhile is left to whoever moved it.
 */
export async function maskLines(world: World, lines: readonly RunLine[]): Promise<RunLine[]> {
  const shown: RunLine[] = [];
  for (const line of lines) shown.push(await maskLine(world, line));
  return shown;
}

async function maskLine(world: World, line: RunLine): Promise<RunLine> {
  const change = {
    ...(line.result ? { result: masked(world, line.result) } : {}),
    ...(line.applied ? { applied: masked(world, line.applied) } : {}),
  };
  if (JSON.stringify({ ...line, ...change }) === JSON.stringify(line)) return line;
  await saveLine(world, line, change);
  return { ...line, ...change };
}

/** An output that carries a secret is stored as a sensitive one. */
function masked(world: World, result: LineResult): LineResult {
  const shown = Object.entries(result.outputs).map(([name, value]) => [name, world.redactor.contains(String(value)) ? null : value]);
  return { ...maskedResult(world, result), outputs: Object.fromEntries(shown) };
}
