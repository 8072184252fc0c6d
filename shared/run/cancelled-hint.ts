import type { LineResult, Run } from './items.ts';
import { isRemoval, type LineStatus } from './report.ts';

/** What of a line says that something may have been written for it. */
const touched: ReadonlySet<LineStatus> = new Set(['applied', 'failed', 'rolled_back', 'rollback_failed', 'destroyed', 'destroy_failed', 'waiting']);

/**
 * What is left of a run that a person stopped, and what to type: nothing stays of one that had written nothing.
 *
 * @param stays what earlier rounds applied.
 */
export function cancelledHint({ id, kind }: Pick<Run, 'id' | 'kind'>, results: readonly Pick<LineResult, 'status'>[], stays: readonly string[] = []): string {
  const run = id.slice(0, 12);
  if (stays.length === 0 && !results.some(({ status }) => touched.has(status)))
    return `Nothing had been written by then; \`lockkeeper retry ${run}\` runs it again.`;
  return isRemoval(kind)
    ? `What it had removed is gone; \`lockkeeper retry ${run}\` removes the rest.`
    : `What it had applied stays; \`lockkeeper undo ${run}\` removes what it created.`;
}
