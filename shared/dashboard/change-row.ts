import type { Repository } from '../ports/code-host.ts';
import type { Table } from '../ports/table.ts';
import { absent, equal } from '../table/condition.ts';
import { dashboardPartition, rowKey, rowPrefix, stackRowPrefix } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { type MarkWorld, markDashboard } from './mark.ts';
import { type Row, rowOf } from './row.ts';

export interface RowAddress {
  readonly repository: Repository;
  readonly plan: string;
  readonly environment: string;
  /** Of a stack's own row. */
  readonly line?: string;
}

/** What a row says, without where it lies. */
export type RowContent = Omit<Row, 'repository' | 'plan' | 'environment' | 'line' | 'version'>;

/**
 * Changes a row by compare-and-swap, and has the dashboard written anew where that changed anything.
 *
 *     swap the row ─▶ mark the issue      a death in between: whoever repeats the step finds the row so, and marks again
 *
 * @param next made of what stands there now, as often as somebody else was first. Undefined: nothing is to change.
 */
export async function changeRow(world: MarkWorld, at: RowAddress, next: (before: RowContent) => RowContent | undefined): Promise<void> {
  const key = rowKey(at.repository.id, at.plan, at.environment, at.line);
  let found = await world.table.get(key);
  for (;;) {
    const before = found && rowOf(found);
    const content = next(before ?? {});
    if (content === undefined) return;
    const names = { repository: at.repository.id, plan: at.plan, environment: at.environment, ...(at.line === undefined ? {} : { line: at.line }) };
    const when = before ? equal('version', before.version) : absent;
    const result = await write(world, key, (version) => ({ put: { format: 1, ...names, ...content, version } }), when);
    if (result.won) return markDashboard(world, at.repository);
    found = result.found;
  }
}

/** Takes away the row of a stack that the plan does not have any more. */
export async function dropRow(world: MarkWorld, repository: Repository, { plan, environment, line, version }: Row): Promise<void> {
  const gone = await write(world, rowKey(repository.id, plan, environment, line), { delete: true }, equal('version', version));
  if (gone.won) await markDashboard(world, repository);
}

/** The rows of a plan's stacks in one environment. */
export async function readStackRows(table: Table, { repository, plan, environment }: RowAddress): Promise<(Row & { readonly line: string })[]> {
  const rows = (await table.query(dashboardPartition(repository.id), stackRowPrefix(plan, environment))).map(rowOf);
  return rows.flatMap((row) => (row.line === undefined ? [] : [{ ...row, line: row.line }]));
}

/** Every row of a repository. */
export async function readRows(table: Table, repository: string): Promise<Row[]> {
  return (await table.query(dashboardPartition(repository), rowPrefix)).map(rowOf);
}
