import { codes } from '../../shared/errors/codes.ts';
import type { Problem } from '../../shared/errors/error.ts';
import { plain } from '../../shared/surfaces/escape.ts';
import type { Screen } from './answer.ts';

/** `file:line:column CODE message`, and the hint below it. */
export function findingText({ code, message, hint, at }: Problem, { paint }: Pick<Screen, 'paint'>): string {
  const place = at ? `${plain(at.file)}:${at.line}:${at.column} ` : '';
  const tone = codes[code].exit === 0 ? 'open' : 'bad';
  return `${place}${paint(tone, code)} ${plain(message)}\n    ${paint('same', plain(hint ?? codes[code].hint))}\n`;
}

/** What a command that stopped says: the problem, or each of them when there are several. */
export function errorText(problem: Problem, screen: Pick<Screen, 'paint'>): string {
  const all = problem.details?.['problems'];
  const problems = Array.isArray(all) ? (all as Problem[]) : [problem];
  return problems.map((one) => `${screen.paint('bad', 'error')} ${findingText(one, screen)}`).join('');
}
