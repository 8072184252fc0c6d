import type { Run } from '../../../shared/run/items.ts';
import { latestRuns } from '../../../shared/run/latest-runs.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Answer } from '../answer.ts';
import { freezesOf, freezeTexts } from './listed-freeze.ts';
import { listedQuestion, questionTexts } from './listed-question.ts';
import type { View } from './look.ts';

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

/** What waits for an answer, what is frozen, and the latest runs of the repository, newest first. */
export async function runs({ store, repository, typed }: View): Promise<Answer> {
  const listed = (await latestRuns(store, repository.id)).map(listedRun);
  const questions = (await openQuestions(store, repository.id)).map(listedQuestion);
  const frozen = await freezesOf(
    store,
    repository.id,
    [...questions, ...listed].map(({ environment }) => environment),
  );
  return {
    exit: 0,
    document: { repository: repository.id, questions, frozen, runs: listed },
    text: (screen) =>
      `${[...questionTexts(questions, screen, typed), ...freezeTexts(frozen, screen), ...(listed.length === 0 ? ['No run has been started here yet.'] : listed.map(runRow))].join('\n')}\n`,
  };
}

/** `2026-01-05 09:00  3f2a9c81e4d0  apply    complete  preview/pr-7  4b7c1e0`. */
export function runRow({ run, kind, environment, scope, commit, phase, status, startedAt }: ListedRun): string {
  const state = (phase === 'done' || phase === 'waiting' ? status : undefined) ?? phase;
  const columns = [startedAt.slice(0, 16).replace('T', ' '), run.slice(0, 12), kind.padEnd(7), state.padEnd(12), `${plain(environment)}/${plain(scope)}`];
  return [...columns, commit.slice(0, 7)].join('  ');
}
