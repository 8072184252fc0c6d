import type { Approvals } from '../../../shared/approvals/judge-decisions.ts';
import type { Freeze } from '../../../shared/freeze/freeze.ts';
import type { Run } from '../../../shared/run/items.ts';
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
  /** What its run is: `apply`, `destroy`, `prune`, `undo`. */
  readonly kind: string;
  readonly environment: string;
  readonly scope: string;
  /** Who has approved it so far, where more than one person must; and how many must. */
  readonly approvals?: Approvals;
  /** Who has approved it, where that is enough: a freeze keeps it, or it is about to go on. */
  readonly approved?: readonly string[];
  /** The freeze that keeps it. */
  readonly frozen?: Freeze;
}

/** @param frozen of what its run writes, where anything is. */
export const listedQuestion = ({ digest, expiresAt, run }: OpenQuestion, frozen?: Freeze): ListedQuestion => ({
  digest,
  expiresAt: new Date(expiresAt).toISOString(),
  run: run.id,
  kind: runKindOf(run),
  environment: run.environment,
  scope: run.scope,
  ...approvalsOf(run),
  ...(frozen ? { frozen } : {}),
});

/** What a run is called in a list: an undo goes the way of a prune, and is another thing to whoever reads of it. */
export const runKindOf = ({ kind, intent, options }: Pick<Run, 'kind' | 'intent' | 'options'>): string =>
  options.undo === undefined ? (kind ?? intent) : 'undo';

function approvalsOf({ question, approvals, required = 1 }: OpenQuestion['run']): Pick<ListedQuestion, 'approvals' | 'approved'> {
  const given = approvals && approvals.q === question?.q ? { by: approvals.by, required: approvals.required } : { by: [], required };
  return { ...(given.required > 1 && { approvals: given }), ...(given.by.length >= given.required && { approved: given.by }) };
}

/** `? 3f2a9c81e4d0  apply    production/main  until 2026-01-06 09:00 UTC  run 5d41402abc4b`, and what to type below it. */
function questionTexts(question: ListedQuestion, { paint }: Pick<Screen, 'paint'>, typed: Typed): string[] {
  const { digest, expiresAt, run, kind, environment, scope, approvals, approved, frozen } = question;
  const place = `${plain(environment)}/${plain(scope)}`;
  const row = `  ${paint('open', '?')} ${digest.slice(0, 12)}  ${kind.padEnd(7)}  ${place}  until ${utc(expiresAt)}  run ${run.slice(0, 12)}`;
  const command = (words: string): string => `      ${withFlags(`\`lockkeeper ${words}\``, typed).slice(1, -1)}`;
  const short = digest.slice(0, 12);
  if (!approved) {
    const some = approvals ? [`      approved by ${approvals.by.length} of ${approvals.required}`] : [];
    return [row, ...some, command(`approve ${short}`), command(`reject ${short}`)];
  }
  const by = approved.length > 0 ? `Approved by ${approved.map((name) => plain(name)).join(', ')}` : 'Approved';
  if (!frozen) return [row, `      ${by}, and about to go on`];
  const early = Date.parse(frozen.until) > Date.parse(expiresAt) ? '; it runs out before that' : '';
  return [row, `      ${by}; waits for the end of the freeze${early}`, command(`unfreeze ${frozen.environment}`), command(`withdraw ${short}`)];
}

/** Open questions with a heading, and what to do about each; nothing where there are none. */
export function questionsTexts(questions: readonly ListedQuestion[], screen: Pick<Screen, 'paint'>, typed: Typed): string[] {
  const rows = (title: string, listed: readonly ListedQuestion[]) =>
    listed.length === 0 ? [] : [title, ...listed.flatMap((one) => questionTexts(one, screen, typed)), ''];
  return [
    ...rows(
      'Waits for an answer:',
      questions.filter(({ approved }) => !approved),
    ),
    ...rows(
      'Approved:',
      questions.filter(({ approved }) => approved),
    ),
  ];
}
