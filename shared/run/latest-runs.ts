import type { Run } from './items.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** How many runs are listed, and looked through for the beginning of an id. */
const latest = 50;

/** The latest runs of a repository, newest first. */
export async function latestRuns({ table }: Pick<JobWorld, 'table'>, repository: string): Promise<Run[]> {
  const listed = await table.list({ index: 'repo', partition: repository, prefix: 'run#', newestFirst: true, limit: latest });
  const runs = await Promise.all(listed.map((item) => readRun(table, item['id'] as string)));
  return runs.filter((run) => run !== undefined);
}
