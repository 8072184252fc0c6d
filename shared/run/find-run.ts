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
  if (!run) throw noRun(wanted, listed);
  const message = `${found.length} runs begin with ${JSON.stringify(wanted)}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}.`;
  throw new LockkeeperError({ code: 'USAGE', message, hint: 'Give more of the id.' });
}

/** Plans and runs are named alike: whoever gives the one for the other is told which run asks about that plan. */
function noRun(wanted: string, runs: readonly Run[]): LockkeeperError {
  const message = `There is no run ${JSON.stringify(wanted)} here.`;
  const asks = wanted.length >= 12 ? runs.find(({ question }) => question?.digest.startsWith(wanted.toLowerCase())) : undefined;
  if (!asks) return new LockkeeperError({ code: 'NOT_FOUND', message });
  return new LockkeeperError({ code: 'NOT_FOUND', message: `${message} It is a plan, that of run ${asks.id.slice(0, 12)}.`, hint: 'Name the run.' });
}
