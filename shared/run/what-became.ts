import { readStops } from '../guard/stale.ts';
import type { Run } from './items.ts';
import { latestRuns } from './latest-runs.ts';
import type { JobWorld } from './world.ts';

type Reads = Pick<JobWorld, 'table'>;

const short = (id: string): string => id.slice(0, 12);

/** A question that was there and is not open any more: what became of it, and the way on; undefined for one that none of the latest runs has asked. */
export async function whatBecame(store: Reads, repository: string, prefix: string): Promise<{ message: string; hint?: string } | undefined> {
  for (const run of await latestRuns(store, repository)) {
    const message = await becameInRun(store, run, prefix);
    if (message === undefined) continue;
    const hint = wayOnFrom(run);
    return { message, ...(hint === undefined ? {} : { hint }) };
  }
  return undefined;
}

/** The same of one run, in a sentence. */
export async function becameInRun(store: Reads, run: Run, prefix: string): Promise<string | undefined> {
  if (run.question?.digest.startsWith(prefix)) {
    const name = short(run.question.digest);
    return isAtRest(run)
      ? `Plan ${name} is not open any more: run ${short(run.id)} has ended as ${run.outcome}.${tookPlace(run)}`
      : `Plan ${name} has been answered: run ${short(run.id)} is at work (${run.phase}).`;
  }
  const stop = run.round > 1 ? (await readStops(store, run.id)).find(({ approved }) => approved.startsWith(prefix)) : undefined;
  if (!stop) return undefined;
  const next = stop.replanned === null ? 'and is being planned again' : `and was planned again as ${short(stop.replanned)}`;
  return `Plan ${short(stop.approved)} no longer held, ${next}: run ${short(run.id)} is ${run.outcome ?? run.phase}.`;
}

const isAtRest = ({ phase }: Pick<Run, 'phase'>): boolean => phase === 'done' || phase === 'waiting';

/** Which run it gave way to: what it would have done is to be looked for there. */
function tookPlace({ outcome, problem, stopping }: Run): string {
  const why = problem ?? stopping?.problem;
  return outcome === 'superseded' && why ? ` ${why.message}` : '';
}

/** What to type after a run that asked; undefined where nothing is to be typed about it. */
export function wayOnFrom(run: Pick<Run, 'id' | 'phase' | 'outcome' | 'options'>): string | undefined {
  const id = short(run.id);
  if (run.phase === 'awaiting') return undefined;
  if (run.phase !== 'done') return `\`lockkeeper cancel ${id}\` stops it before its next write.`;
  switch (run.outcome) {
    case 'rejected':
    case 'expired':
    case 'cancelled':
    case 'failed':
      return run.options.ticked ? 'Tick the box of the dashboard as it is now.' : `\`lockkeeper retry ${id}\` plans and asks again.`;
    case 'superseded':
    case 'stale':
      return 'What is asked now is listed by `lockkeeper runs`.';
    default:
      return `\`lockkeeper receipt ${id}\` tells what it did; \`lockkeeper undo ${id}\` removes what it created.`;
  }
}
