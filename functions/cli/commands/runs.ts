import { type IssueItem, issueItemOf } from '../../../shared/dashboard/issue-item.ts';
import { codes } from '../../../shared/errors/codes.ts';
import type { FreezeWorld } from '../../../shared/freeze/freeze.ts';
import { frozen as frozenNow } from '../../../shared/freeze/frozen.ts';
import type { Run } from '../../../shared/run/items.ts';
import { latestRuns, latestScans } from '../../../shared/run/latest-runs.ts';
import { type OpenQuestion, openQuestions } from '../../../shared/run/questions.ts';
import type { LineReport } from '../../../shared/run/report.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import { fitted } from '../../../shared/surfaces/wrap.ts';
import { issueKey } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import type { Store } from '../folder/store.ts';
import { reportOfRun } from '../runs/run-report.ts';
import { reportAsTyped, type Typed } from '../typed.ts';
import { freezesOf, freezeTexts } from './listed-freeze.ts';
import { type ListedQuestion, listedQuestion, questionsTexts } from './listed-question.ts';
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
  /** The run whose creations it removes. */
  readonly undoes?: string;
  /** The plan it has put to people last. */
  readonly digest?: string;
}

export const listedRun = ({ id, kind, intent, options, environment, scope, commit, phase, outcome, startedAt, question }: Run): ListedRun => ({
  run: id,
  kind: kind ?? intent,
  ...(options.undo === undefined ? {} : { undoes: options.undo }),
  environment,
  scope,
  commit,
  phase,
  status: phase === 'awaiting' ? phase : (outcome ?? null),
  startedAt,
  ...(question ? { digest: question.digest } : {}),
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
  const questions = await listedQuestions(store, await openQuestions(store, repository.id));
  const frozen = await freezesOf(
    store,
    repository.id,
    [...questions, ...listed].map(({ environment }) => environment),
  );
  const unshown = issueItemOf(await store.table.get(issueKey(repository.id)))?.problem;
  const scans = await newestScans(view);
  const scanned = scans.length === 0 ? [] : ['', 'Newest scans of drift:', ...runRows(scans)];
  return {
    exit: 0,
    document: {
      repository: repository.id,
      questions,
      frozen,
      runs: listed,
      ...(scans.length === 0 ? {} : { scans }),
      ...(unshown ? { dashboard: unshown } : {}),
    },
    text: (screen) =>
      fitted(
        `${[...unshownTexts(unshown), ...questionsTexts(questions, screen, typed), ...freezeTexts(frozen, screen), ...waits, ...rowsOf(listed), ...scanned].join('\n')}\n`,
        screen.columns,
      ),
  };
}

/** The dashboard cannot say of itself that nobody can see it. */
const unshownTexts = (problem: IssueItem['problem']): string[] =>
  problem === undefined ? [] : [`The dashboard issue cannot be written since ${utc(problem.since)}: ${problem.code}. ${codes.ISSUES_OFF.hint}`, ''];

const rowsOf = (listed: readonly ListedRun[]): string[] =>
  listed.length === 0
    ? ['No run has been started here yet.']
    : ['Runs, newest first: when it began (UTC), run, kind, status, where, commit, plan it asked about', ...runRows(listed)];

/** The questions as they are listed, each with the freeze that keeps it. */
export const listedQuestions = (store: FreezeWorld, open: readonly OpenQuestion[]): Promise<ListedQuestion[]> =>
  Promise.all(open.map(async (one) => listedQuestion(one, await frozenNow(store, one.run))));

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
        return lines
          .filter(({ status }) => status === 'waiting')
          .flatMap((line) => [`  run ${run.id.slice(0, 12)}  ${plain(line.id)}: ${awaitedOf(line)}`, ...confirmOf(line)]);
      }),
  );
  return rows.flat().length === 0 ? [] : ['Waits:', ...rows.flat(), ''];
}

/** What to type when it is done, on a row of its own. */
const confirmOf = ({ manual }: LineReport): string[] => (manual?.confirm === undefined ? [] : [`      ${plain(manual.confirm)}`]);

function awaitedOf({ manual, waitingFor, waitingOn }: LineReport): string {
  if (manual) return plain(manual.title);
  return plain(waitingFor ?? (waitingOn === undefined ? 'more to come' : `line ${waitingOn}`));
}

/** Columns of a kind at least, so that lists of one kind stand below each other. */
const shortestKind = 7;

/** One row a run, in columns: `2026-01-05 09:00  3f2a9c81e4d0  apply    complete  preview/pr-7     4b7c1e0  9c56cc51b374`. */
export function runRows(runs: readonly ListedRun[]): string[] {
  const rows = runs.map(({ run, kind, undoes, environment, scope, commit, phase, status, startedAt, digest }) => [
    startedAt.slice(0, 16).replace('T', ' '),
    run.slice(0, 12),
    undoes === undefined ? kind : 'undo',
    (phase === 'done' || phase === 'waiting' ? status : undefined) ?? phase,
    `${plain(environment)}/${plain(scope)}`,
    commit.slice(0, 7),
    ...(digest === undefined ? [] : [digest.slice(0, 12)]),
  ]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.min(40, Math.max(at === 2 ? shortestKind : 0, ...rows.map((row) => row[at]?.length ?? 0))));
  return rows.map((row) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell)).join('  '));
}
