import type { LineResult, RunLine } from '../run/items.ts';

/** A line's result, with what became of the redeploy of its writes: nobody has to know that this was a job of its own. */
export function toldByLine(line: RunLine, result: LineResult, lines: readonly RunLine[]): LineResult {
  const redeploy = lines.find((one) => one.spec.id === line.spec.redeployedBy && one.round === line.round);
  const of = lines.find((one) => one.result?.redeployed?.includes(line.spec.id));
  const redeployed = of === undefined ? {} : { notes: { ...result.notes, redeployed: 'true' } };
  if (!redeploy?.result || !stands.has(result.status)) return { ...result, ...redeployed };
  const { outputs, problem, status } = redeploy.result;
  if (problem && result.status === 'applied') return { ...result, problem };
  if (status === 'skipped' && result.status === 'applied') return { ...result, notes: { ...result.notes, redeploy: 'due: the next run deploys it' } };
  return { ...result, ...redeployed, outputs: { ...result.outputs, ...outputs } };
}

const stands: ReadonlySet<string> = new Set(['applied', 'unchanged']);

/** Whether it is a line of the plan, and no redeploy. */
export const isOfPlan = (line: RunLine): boolean => line.spec.redeploy === undefined;
