import { codes } from '../../shared/errors/codes.ts';
import type { Problem } from '../../shared/errors/error.ts';
import { plain } from '../../shared/surfaces/escape.ts';
import { fitted } from '../../shared/surfaces/wrap.ts';
import type { Screen } from './answer.ts';

/** One finding a line, `file:line:column CODE message`, and what to do below it: once below several that say the same. */
export function findingsText(findings: readonly Problem[], { paint, columns }: Pick<Screen, 'paint' | 'columns'>, opening = ''): string {
  const hints = findings.map(({ code, hint }) => plain(hint ?? codes[code].hint));
  const text = ({ code, message, at: place }: Problem, at: number): string => {
    const where = place ? `${plain(place.file)}:${place.line}:${place.column} ` : '';
    const tone = codes[code].exit === 0 ? 'open' : 'bad';
    const hint = hints[at] === hints[at + 1] ? '' : `    ${paint('same', hints[at] ?? '')}\n`;
    return `${opening}${where}${paint(tone, code)} ${plain(message)}\n${hint}`;
  };
  return fitted(findings.map(text).join(''), columns);
}

/** What a command that stopped says: the problem, or each of them when there are several. */
export function errorText(problem: Problem, screen: Pick<Screen, 'paint' | 'columns'>): string {
  const all = problem.details?.['problems'];
  const problems = Array.isArray(all) ? (all as Problem[]) : [problem];
  return findingsText(problems, screen, `${screen.paint('bad', 'error')} `);
}
