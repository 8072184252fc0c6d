import type { Said } from '../../events/said.ts';
import type { Problem } from '../errors/error.ts';
import type { RunReport } from '../run/report.ts';
import type { Comment } from './comment.ts';
import { code, prose } from './escape.ts';
import { problemText } from './sections.ts';

type Place = Pick<RunReport, 'environment'> & { readonly plan: { readonly path: string } };

/**
 * The answer to a comment that spoke of a line and was not followed: why, and what to write instead. One for each comment.
 *
 * @param place where it was refused; absent: wherever the line is.
 */
export function renderRefusedComment(intake: string, { verb, line }: Said, author: string, problem: Problem, place?: Place): Comment {
  const marker = `<!-- lockkeeper: answer to ${intake} -->`;
  const where = place ? ` for the plan ${code(place.plan.path)} in ${code(place.environment)}` : '';
  return {
    marker,
    body: `${marker}\n${prose(author)} asked for ${code(`${verb} ${line}`)}, and nothing was done${where}.\n\n- ${problemText(problem, true)}\n`,
  };
}
