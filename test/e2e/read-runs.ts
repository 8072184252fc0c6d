import type { Table } from '../../shared/ports/table.ts';
import type { Run } from '../../shared/run/items.ts';
import { demo } from '../sim/seed.ts';

/** Runs or scans (runs when absent) of a repository (the demo's), and what else is asked for: it never changes of one, so no other is read. */
export interface RunsOf {
  readonly list?: 'run' | 'scan';
  readonly repository?: number;
  readonly commit?: string;
  readonly scope?: string;
}

/** Those runs, newest first, found in their repository's list and then read strongly: whoever waits for one looks often. */
export async function readRuns(table: Table, { list = 'run', repository = demo.repositoryId, commit, scope }: RunsOf = {}): Promise<Run[]> {
  const listed = await table.list({ index: 'repo', partition: String(repository), prefix: `${list}#`, newestFirst: true });
  const wanted = listed.filter((item) => (commit === undefined || item['commit'] === commit) && (scope === undefined || item['scope'] === scope));
  const items = await Promise.all(wanted.map(({ pk, sk }) => table.get({ pk, sk })));
  return items.filter((item) => item !== undefined) as unknown as Run[];
}
