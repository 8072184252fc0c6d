import type { Said } from '../../events/said.ts';
import type { Problem } from '../errors/error.ts';
import type { Comment } from './comment.ts';
import { code, prose } from './escape.ts';
import { problemText } from './sections.ts';

/** The answer to a comment that spoke of a line and was not followed: why, and what to write instead. One for each comment. */
export function renderRefusedComment(intake: string, { verb, line }: Said, author: string, problem: Problem): Comment {
  const marker = `<!-- lockkeeper: answer to ${intake} -->`;
  return { marker, body: `${marker}\n${prose(author)} asked for ${code(`${verb} ${line}`)}, and nothing was done.\n\n- ${problemText(problem, true)}\n` };
}
