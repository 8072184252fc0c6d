import type { Problem } from '../errors/error.ts';
import { code, prose } from './escape.ts';
import { problemText } from './sections.ts';

/** An answer, or another wish, that was given on GitHub and does not stand. */
export interface RefusedAnswer {
  /** Login of whoever gave it. */
  readonly author: string;
  /** What they pressed or wrote: `approve 3f2a9c81e4d0`. */
  readonly asked: string;
  readonly problem: Problem;
  /** Name of the stack that commands are typed for. */
  readonly stack?: string | undefined;
}

/** Why it does not stand, and what to do: for the check whose button was pressed, or the pull request it was written on. */
export function refusedAnswer({ author, asked, problem, stack }: RefusedAnswer, onPullRequest: boolean): string {
  return `⛔ ${prose(author)}’s ${code(asked)} does not stand.\n\n- ${problemText(problem, onPullRequest, stack)}\n`;
}

/** The comment that says so: one for each comment that is answered. */
export function renderRefusedAnswer(intake: string, refused: RefusedAnswer): { readonly marker: string; readonly body: string } {
  const marker = `<!-- lockkeeper: answer to ${intake} -->`;
  return { marker, body: `${marker}\n${refusedAnswer(refused, true)}` };
}
