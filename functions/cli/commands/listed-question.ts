import type { Approvals } from '../../../shared/approvals/judge-decisions.ts';
import type { OpenQuestion } from '../../../shared/run/questions.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { utc } from '../../../shared/surfaces/words.ts';
import type { Screen } from '../answer.ts';
import { type Typed, withFlags } from '../typed.ts';

/** One open question, as it is listed. */
export interface ListedQuestion {
  readonly digest: string;
  readonly expiresAt: string;
  readonly run: string;
  readonly environment: string;
  readonly scope: string;
  /** Who has approved it so far, where more than one person must; and how many must. */
  readonly approvals?: Approvals;
  /** Enough people have approved it: a freeze keeps it, or it is about to go on. */
  readonly approved?: true;
}

export const listedQuestion = ({ digest, expiresAt, run }: OpenQuestion): ListedQuestion => ({
  digest,
  expiresAt: new Date(expiresAt).toISOString(),
  run: run.id,
  environment: run.environment,
  scope: run.scope,
  ...approvalsOf(run),
});

function approvalsOf({ question, approvals, required = 1 }: OpenQuestion['run']): Pick<ListedQuestion, 'approvals' | 'approved'> {
  const given = approvals && approvals.q === question?.q ? { by: approvals.by, required: approvals.required } : { by: [], required };
  return { ...(given.required > 1 && { approvals: given }), ...(given.by.length >= given.required && { approved: true }) };
}

/** `? 3f2a9c81e4d0  until 2026-01-06 09:00 UTC  production/main  run 5d41402abc4b`. */
export function questionRow({ digest, expiresAt, run, environment, scope, approvals }: ListedQuestion, { paint }: Pick<Screen, 'paint'>): string {
  return `${paint('open', '?')} ${digest.slice(0, 12)}  until ${utc(expiresAt)}  ${plain(environment)}/${plain(scope)}  run ${run.slice(0, 12)}${
    approvals ? `  approved by ${approvals.by.length} of ${approvals.required}` : ''
  }`;
}

/** Open questions with a heading and what to do; nothing where there are none. */
export function questionTexts(questions: readonly ListedQuestion[], screen: Pick<Screen, 'paint'>, typed: Typed): string[] {
  const rows = (title: string, listed: readonly ListedQuestion[]) =>
    listed.length === 0 ? [] : [title, ...listed.map((one) => `  ${questionRow(one, screen)}`), ''];
  return [
    ...rows(
      withFlags('Waits for `lockkeeper approve <digest>` or `lockkeeper reject <digest>`:', typed),
      questions.filter(({ approved }) => !approved),
    ),
    ...rows(
      'Approved, and goes on unless a freeze keeps it:',
      questions.filter(({ approved }) => approved),
    ),
  ];
}
