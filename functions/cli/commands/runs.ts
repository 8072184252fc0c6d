import type { Run } from '../../../shared/run/items.ts';
import { latestRuns, latestScans } from '../../../shared/run/latest-runs.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import type { LineReport } from '../../../shared/run/report.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Answer } from '../answer.ts';
import type { Store } from '../folder/store.ts';
import { reportOfRun } from '../runs/run-report.ts';
import { reportAsTyped, type Typed } from '../typed.ts';
import { freezesOf, freezeTexts } from './listed-freeze.ts';
import { listedQuestion, questionTexts } from './listed-question.ts';
import type { View } from './view.ts';

/** One run, as it is listed. `status` is null while it is at work. */
export interface ListedRun {
  readonly run: string;
  readonly kind: string;
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly phase: string;
  readonly status: string | null;
  readonly startedAt: string;
}

export const listedRun = ({ id, kind, intent, environment, scope, commit, phase, outcome, startedAt }: Run): ListedRun => ({
  run: id,
  kind: kind ?? intent,
  environment,
  scope,
  commit,
  phase,
  status: phase === 'awaiting' ? phase : (outcome ?? null),
  startedAt,
});

/** The newest scan of each plan and environment: of the others there are many, and each says what the next one says. */
const newestScans = async ({ store, repository }: View): Promise<ListedRun[]> => {
  const scans = await latestScans(store, repository.id);
  const newest = new Map(scans.toReversed().map((run) => [JSON.stringify([run.plan.name, run.environment]), listedRun(run)]));
  return [...newest.values()].sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
};

/** What waits for an answer, what is frozen, and the latest runs of the repository, newest first; of its scans the newest of each kind. */
export async function runs(view: View): Promise<Answer> {
  const { store, repository, typed } = view;
  const latest = await latestRuns(store, repository.id);
  const listed = latest.map(listedRun);
  const waits = await waitingTexts(store, latest, typed);
  const questions = (await openQuestions(store, repository.id)).map(listedQuestion);
  const frozen = await freezesOf(
    store,
    repository.id,
    [...questions, ...listed].map(({ environment }) => environment),
  );
  const scans = await newestScans(view);
  const rows = listed.length === 0 ? ['No run has been started here yet.'] : listed.map(runRow);
  const scanned = scans.length === 0 ? [] : ['', 'Newest scans of drift:', ...scans.map(runRow)];
  return {
    exit: 0,
    document: { repository: repository.id, questions, frozen, runs: listed, ...(scans.length === 0 ? {} : { scans }) },
    text: (screen) => `${[...questionTexts(questions, screen, typed), ...freezeTexts(frozen, screen), ...waits, ...rows, ...scanned].join('\n')}\n`,
  };
}

/**
 * What the runs that wait, wait for, one row each: the step with what to type when it is done, or the event. A question has its own place.
 *
 * @throws LockkeeperError as {@link reportOfRun} does, but for a run without a report.
 */
export async function waitingTexts(store: Store, waiting: readonly Run[], typed: Typed): Promise<string[]> {
  const rows = await Promise.all(
    waiting
      .filter(({ phase, report }) => phase === 'waiting' && report !== undefined)
      .map(async (run) => {
        const { lines } = reportAsTyped(await reportOfRun(store, run), typed);
        return lines.filter(({ status }) => status === 'waiting').map((line) => `  run ${run.id.slice(0, 12)}  ${plain(line.id)}: ${awaitedOf(line)}`);
      }),
  );
  return rows.flat().length === 0 ? [] : ['Waits:', ...rows.flat(), ''];
}

function awaitedOf({ manual, waitingFor, waitingOn }: LineReport): string {
  if (manual) return `${plain(manual.title)}${manual.confirm === undefined ? '' : `; then ${plain(manual.confirm)}`}`;
  return plain(waitingFor ?? (waitingOn === undefined ? 'more to come' : `line ${waitingOn}`));
}

/** `2026-01-05 09:00  3f2a9c81e4d0  apply    complete  preview/pr-7  4b7c1e0`. */
export function runRow({ run, kind, environment, scope, commit, phase, status, startedAt }: ListedRun): string {
  const state = (phase === 'done' || phase === 'waiting' ? status : undefined) ?? phase;
  const columns = [startedAt.slice(0, 16).replace('T', ' '), run.slice(0, 12), kind.padEnd(7), state.padEnd(12), `${plain(environment)}/${plain(scope)}`];
  return [...columns, commit.slice(0, 7)].join('  ');
}
