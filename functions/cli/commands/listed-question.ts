import type { OpenQuestion } from '../../../shared/run/questions.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import type { Screen } from '../answer.ts';

/** One open question, as it is listed. */
export interface ListedQuestion {
  readonly digest: string;
  readonly expiresAt: string;
  readonly run: string;
  readonly environment: string;
  readonly scope: string;
}

export const listedQuestion = ({ digest, expiresAt, run }: OpenQuestion): ListedQuestion => ({
  digest,
  expiresAt: new Date(expiresAt).toISOString(),
  run: run.id,
  environment: run.environment,
  scope: run.scope,
});

/** `? 3f2a9c81e4d0  until 2026-01-06 09:00 UTC  production/main  run 5d41402abc4b`. */
export function questionRow({ digest, expiresAt, run, environment, scope }: ListedQuestion, { paint }: Pick<Screen, 'paint'>): string {
  return `${paint('open', '?')} ${digest.slice(0, 12)}  until ${utc(expiresAt)}  ${plain(environment)}/${plain(scope)}  run ${run.slice(0, 12)}`;
}

/** Open questions with a heading and what to do; nothing where there are none. */
export function questionTexts(questions: readonly ListedQuestion[], screen: Pick<Screen, 'paint'>): string[] {
  if (questions.length === 0) return [];
  return ['Waits for `lockkeeper approve <digest>` or `lockkeeper reject <digest>`:', ...questions.map((one) => `  ${questionRow(one, screen)}`), ''];
}
