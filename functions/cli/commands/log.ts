import { LockkeeperError } from '../../../shared/errors/error.ts';
import { readStops } from '../../../shared/guard/stale.ts';
import { findRun } from '../../../shared/run/find-run.ts';
import type { PlanStale } from '../../../shared/run/report.ts';
import { type RunEvent, readLog } from '../../../shared/run/run-log.ts';
import { shortDigest, stopText } from '../../../shared/surfaces/approval.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { problemText } from '../../../shared/surfaces/terminal-problem.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import type { Answer } from '../answer.ts';
import { listedRun, runRows } from './runs.ts';
import type { View } from './view.ts';

/** What happened to a run, oldest first. @throws LockkeeperError NOT_FOUND, USAGE. */
export async function log({ store, repository, run: wanted }: View): Promise<Answer> {
  if (wanted === undefined) throw new LockkeeperError({ code: 'USAGE', message: 'Name the run.', hint: 'List the latest with `lockkeeper runs`.' });
  const run = listedRun(await findRun(store, repository.id, wanted));
  const [events, stops] = await Promise.all([readLog(store, run.run), readStops(store, run.run)]);
  return {
    exit: 0,
    document: { ...run, events, stops },
    text: ({ columns }) => fitted(`${[...runRows([run]), '', 'In UTC:', ...rowsOf(events, stops)].join('\n')}\n`, columns),
  };
}

/** The events, and each stop where its round ends; in JSON it stands whole, with null where the plan made anew has not succeeded. */
function rowsOf(events: readonly RunEvent[], stops: readonly PlanStale[]): string[] {
  const stopRow = (stop: PlanStale): string => `stop of round ${stop.round}: ${plain(stopText(stop, stop.round + 1))}`;
  return events.flatMap((event, at) => {
    const next = events[at + 1]?.round ?? Number.POSITIVE_INFINITY;
    return [eventText(event), ...stops.filter(({ round }) => round >= event.round && round < next).map(stopRow)];
  });
}

function eventText({ at, event, round, detail, problem }: RunEvent): string {
  const told = detail !== undefined && /^[0-9a-f]{64}$/.test(detail) ? `plan ${shortDigest(detail)}` : detail;
  const more = [...(told === undefined ? [] : [plain(told)]), ...(problem ? [problemText(problem)] : [])].join('; ');
  return `${at.slice(0, 23).replace('T', ' ')}  round ${round}  ${event}${more === '' ? '' : `: ${more}`}`;
}
