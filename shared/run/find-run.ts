import { LockkeeperError } from '../errors/error.ts';
import type { Run } from './items.ts';
import { latestRuns, latestScans } from './latest-runs.ts';
import { readRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * The run of that id, or the only one of the latest whose id begins so.
 *
 * @throws LockkeeperError NOT_FOUND; USAGE when several begin so.
 */
export async function findRun(store: Pick<JobWorld, 'table'>, repository: string, wanted: string): Promise<Run> {
  const exact = await readRun(store.table, wanted);
  if (exact?.repository.id === repository) return exact;
  const listed = [...(await latestRuns(store, repository)), ...(await latestScans(store, repository))];
  const found = listed.filter((run) => run.id.startsWith(wanted));
  const [run, another] = found;
  if (run && !another) return run;
  if (!run) throw new LockkeeperError({ code: 'NOT_FOUND', message: `There is no run ${JSON.stringify(wanted)} here.` });
  const message = `${found.length} runs begin with ${JSON.stringify(wanted)}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}.`;
  throw new LockkeeperError({ code: 'USAGE', message, hint: 'Give more of the id.' });
}
