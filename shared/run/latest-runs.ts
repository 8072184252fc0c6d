import type { Run } from './items.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** How many runs are listed, and looked through for the beginning of an id. */
const latest = 50;

/** The latest runs of a repository, newest first, but for scans, of which there are many. */
export const latestRuns = (store: Pick<JobWorld, 'table'>, repository: string): Promise<Run[]> => listedRuns(store, repository, 'run#');

/** The latest scans of a repository, newest first. */
export const latestScans = (store: Pick<JobWorld, 'table'>, repository: string): Promise<Run[]> => listedRuns(store, repository, 'scan#');

/** How many of the newest scans are asked whether they are at work. */
const newest = 20;

/** The scans of a repository that are at work, as an index has them: for showing, and for nothing that decides. */
export async function scansAtWork({ table }: Pick<JobWorld, 'table'>, repository: string): Promise<readonly Pick<Run, 'plan' | 'environment' | 'board'>[]> {
  const listed = await table.list({ index: 'repo', partition: repository, prefix: 'scan#', newestFirst: true, limit: newest });
  return (listed as unknown as readonly Run[]).filter(({ phase }) => phase !== 'done');
}

async function listedRuns({ table }: Pick<JobWorld, 'table'>, repository: string, prefix: string): Promise<Run[]> {
  const listed = await table.list({ index: 'repo', partition: repository, prefix, newestFirst: true, limit: latest });
  const runs = await Promise.all(listed.map((item) => readRun(table, item['id'] as string)));
  return runs.filter((run) => run !== undefined);
}
