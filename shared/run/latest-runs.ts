import type { Run } from './items.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** How many runs are listed, and looked through for the beginning of an id. */
const latest = 50;

/** The latest runs of a repository, newest first, but for scans, of which there are many. */
export const latestRuns = (store: Pick<JobWorld, 'table'>, repository: string): Promise<Run[]> => listedRuns(store, repository, 'run#');

/** The latest scans of a repository, newest first. */
export const latestScans = (store: Pick<JobWorld, 'table'>, repository: string): Promise<Run[]> => listedRuns(store, repository, 'scan#');

async function listedRuns({ table }: Pick<JobWorld, 'table'>, repository: string, prefix: string): Promise<Run[]> {
  const listed = await table.list({ index: 'repo', partition: repository, prefix, newestFirst: true, limit: latest });
  const runs = await Promise.all(listed.map((item) => readRun(table, item['id'] as string)));
  return runs.filter((run) => run !== undefined);
}
