/** The card of a question that has been answered, or is over: what was approved still stands on it, and no button. */

import { codes } from '../../errors/codes.ts';
import type { Problem } from '../../errors/error.ts';
import type { ChatBlock, ChatMessage } from '../../ports/chat.ts';
import type { LineReport } from '../../run/report.ts';
import { decidedTexts } from '../approval.ts';
import { deedsOf, plannedDeeds } from '../deeds.ts';
import { plain } from '../escape.ts';
import { badLines, everyProblem, isProblemOf, outcomeOf, removalOf } from '../outcome.ts';
import type { ShownReport } from '../shown-report.ts';
import { spoken } from '../spoken.ts';
import { isTaken, wordsOf } from '../words.ts';
import { context, fitting, section, sections } from './block-kit.ts';
import type { CardFacts } from './card.ts';
import { fallback, footer, nameOf, whose } from './frame.ts';
import { code, link, message, mrkdwn } from './mrkdwn.ts';
import { mostRows, rowsOf } from './rows.ts';

/** What a closed card shows of each, and how much room it has as it is sent: Slack takes some 13,000 characters of a message in all. */
const most = { decisions: 5, problems: 3 } as const;
const room = { decisions: 1500, problems: 4500, rows: 3500 } as const;

/** The card of a question that was honoured: what was approved is being carried out. */
export function approvedCard(report: ShownReport, card: CardFacts & { readonly approvedBy: readonly string[] }): ChatMessage {
  const by = plain(card.approvedBy.join(', '), 200);
  const removal = removalOf(report);
  const what = `${removal === undefined ? 'Approved' : `${removal} approved`}${by === '' ? '' : ` by ${by}`}, being ${removal === undefined ? 'applied' : 'carried out'}`;
  return closed(report, card, { glyph: '✅', title: what }, rowsOf(plannedDeeds(report)));
}

/** The card of a run that is over, or stands at a stop: how it ended and why, what to do next, and what became of each resource. */
export function endedCard(report: ShownReport, card: CardFacts): ChatMessage {
  return closed(
    report,
    card,
    outcomeOf(report),
    report.lines.flatMap((line) => becameOf(line, report)),
  );
}

/** A card that its run knows nothing of, because its post got lost on the way back. */
export const strayCard = (id: string): ChatMessage => ({
  text: 'This card is not kept up to date.',
  blocks: [section('This card is not kept up to date: the run has another one, in this channel, and its check run.', id)],
});

function closed(
  report: ShownReport,
  card: CardFacts,
  { glyph, title }: { readonly glyph: string; readonly title: string },
  rows: readonly string[],
): ChatMessage {
  const shown = fitting(rows, mostRows, room.rows);
  const left = rows.length - shown.length;
  const more = left > 0 ? [`…and ${left} more: read all of it in ${link(card.checkUrl ?? '', 'the check run')}.`] : [];
  const decided = decidedTexts(report).map((text) => mrkdwn(text, 200));
  return {
    text: fallback(`${report.environment} of ${nameOf(report)}: ${title}.`),
    blocks: [
      section(`${glyph} *${mrkdwn(report.environment, 60)}: ${mrkdwn(title)}*\n${whose(report, card)}`, card.id),
      ...problems(report),
      ...sections([...shown, ...more]),
      ...sections(fitting(decided, most.decisions, room.decisions)),
      context(footer(report, card)),
    ],
  };
}

/** What came of one line, resource by resource: a word of what was done to it before what was wanted. */
function becameOf(line: LineReport, report: ShownReport): string[] {
  const { glyph, word } = wordsOf(line, report);
  const said = word.replace(/ \(.*/, '');
  if (isTaken(line) && deedsOf(line).length === 0) return [`${glyph} ${said}: ${code(line.notes?.['destroyed'] ?? '', 200)}`];
  const earlier = (line.earlier ?? []).map((label) => `✅ applied before: ${code(label, 100)}`);
  const planned = line.status === 'unchanged' ? [] : deedsOf(line);
  return [...earlier, ...rowsOf(planned, `${glyph} ${said}:`)];
}

/** Why it ended so, and what to do next. */
function problems(report: ShownReport): ChatBlock[] {
  const bad = badLines(report);
  const own = report.problem ? everyProblem(report.problem).filter((problem) => !bad.some((line) => isProblemOf(line, problem))) : [];
  const ofLines = bad.flatMap(({ id, problem }) => (problem ? [`${code(id, 60)} ${problemText(problem, report)}`] : []));
  const all = [...own.map((problem) => problemText(problem, report)), ...ofLines];
  const shown = fitting(all, most.problems, room.problems);
  const more = all.length > shown.length ? [`…and ${all.length - shown.length} more: the check run tells all of them.`] : [];
  return sections([...shown, ...more]);
}

const problemText = (problem: Problem, { pullRequest, stack }: ShownReport): string =>
  `${code(problem.code)} ${message(problem.message, 300)}\n*Next:* ${message(spoken(problem.hint ?? codes[problem.code].hint, pullRequest !== undefined, stack), 500)}`;
