import { codes } from '../errors/codes.ts';
import type { Problem } from '../errors/error.ts';
import { plain } from './escape.ts';
import { sentence } from './words.ts';
import { wrap } from './wrap.ts';

/** One problem as one sentence or two: code, place, what happened, what to do next. For `--json`-less errors too. */
export const problemText = (problem: Problem): string => `${whatHappened(problem)} ${wayOn(problem)}`;

function whatHappened({ code, message, at }: Problem): string {
  const place = at ? `${plain(at.file)}:${at.line}:${at.column}: ` : '';
  return `${place}${code}: ${plain(sentence(message))}`;
}

const wayOn = ({ code, hint }: Problem): string => plain(hint ?? codes[code].hint);

/**
 * The same in rows. Where there are several ways on, each begins a row, and its command stands on one of its own as it is typed: it can be
 * copied, however narrow the screen.
 *
 * @param hang what later rows begin with. @param width columns.
 */
export function problemRows(problem: Problem, hang: string, width: number, start = hang): string[] {
  const hint = wayOn(problem);
  const ways = hint.split(/(?<=`\.) /);
  if (ways.length < 2) return wrap(problemText(problem), hang, width, start);
  return [...wrap(whatHappened(problem), hang, width, start), ...ways.flatMap((way) => wayRows(way, hang, width))];
}

/** One way on: its words, and its command below them where they end with it. */
function wayRows(way: string, hang: string, width: number): string[] {
  const [words, typed] = /^([^`]*)`(lockkeeper [^`]+)`\.?$/.exec(way)?.slice(1) ?? [];
  if (typed === undefined) return wrap(way, `${hang}  `, width, hang);
  return [...(words ? wrap(words.trim(), `${hang}  `, width, hang) : []), `${hang}  ${typed}`];
}
