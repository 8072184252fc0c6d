import { plain } from '../../../shared/surfaces/escape.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer } from '../answer.ts';
import type { Finding } from './finding.ts';

/** The findings as an answer: one line each, and below what is missing what to do about it. Exit 1 when anything is. */
export function reportOfFindings(stack: string, findings: readonly Finding[]): Answer {
  const missing = findings.filter(({ ok }) => !ok);
  const message = `${missing.length} of ${findings.length} checks of stack ${stack} found something missing.`;
  return {
    exit: missing.length === 0 ? 0 : 1,
    ...(missing.length === 0 ? {} : { problem: { code: 'STACK_INCOMPLETE', message } as const }),
    document: { stack, checks: findings },
    text: ({ paint }) => {
      const width = Math.max(...findings.map(({ check }) => check.length));
      const rows = findings.map(({ check, ok, says, remedy }) => {
        const word = ok ? (remedy === undefined ? paint('done', 'ok     ') : paint('same', 'note   ')) : paint('bad', 'missing');
        const first = `${word}  ${plain(check).padEnd(width)}  ${plain(says)}\n`;
        return remedy === undefined ? first : `${first}         ${' '.repeat(width)}  ${paint('same', plain(remedy))}\n`;
      });
      const notes = findings.filter(({ ok, remedy }) => ok && remedy !== undefined).length;
      const good = notes === 0 ? 'Everything is in place.' : `Nothing is missing; ${count(notes, 'note')} above.`;
      return `${rows.join('')}${missing.length === 0 ? good : message}\n`;
    },
  };
}
