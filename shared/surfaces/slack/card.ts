import { freezeText } from '../../freeze/frozen.ts';
import type { ChatBlock, ChatMessage } from '../../ports/chat.ts';
import type { PlanStale, RunReport } from '../../run/report.ts';
import { earlierTexts, frozenThen, keptBy, knownOf, leavingOf, stopText, whoMayDecide } from '../approval.ts';
import { type PlannedDeed, plannedDeeds } from '../deeds.ts';
import { removalOf } from '../outcome.ts';
import type { ShownReport } from '../shown-report.ts';
import { spoken } from '../spoken.ts';
import { actions, button, context, section, sections } from './block-kit.ts';
import { confirmOf } from './confirm.ts';
import { fallback, footer, nameOf, whose } from './frame.ts';
import { code, group, link, message, moment, mrkdwn } from './mrkdwn.ts';
import { countsOf, mostRows, rowsOf } from './rows.ts';
import { movedText } from './sentences.ts';

/** What a button says was answered to: one question, and the plan that was seen with it. */
export interface AskedOf {
  readonly repository: string;
  readonly run: string;
  readonly q: number;
  readonly digest: string;
}

/** What a card shows beside the report. */
export interface CardFacts {
  /** Found again by it. */
  readonly id: string;
  /** GitHub login of whoever started the run. */
  readonly asker?: string;
  /** Where its check run is read. */
  readonly checkUrl?: string;
  /** Where its repository is read: what it releases is found from there. */
  readonly repositoryUrl?: string;
}

/** An open question on its card. */
export interface OpenCard extends CardFacts {
  readonly asked: AskedOf;
  /** Slack id of a group, or of a person, who is told. */
  readonly mention?: string;
}

export const buttonIds = { approve: 'lockkeeper-approve', reject: 'lockkeeper-reject' } as const;

/**
 * The card of an open question: what it would do, the most dangerous first, until when it is open, what happens without an answer, and
 * two buttons that hold exactly what was seen. The same report and facts give the same bytes.
 */
export function openCard(report: ShownReport, card: OpenCard): ChatMessage {
  const planned = plannedDeeds(report);
  const shown = rowsOf(planned).slice(0, mostRows);
  const left = planned.length - shown.length;
  const more = left > 0 ? [`…and ${left} more: read all of it in ${link(card.checkUrl ?? '', 'the check run')}.`] : [];
  const counts = countsOf(planned);
  const stop = report.stops?.at(-1);
  return {
    text: fallback(`${wanted(report, report.environment)}, of ${nameOf(report)}: ${counts.replaceAll('*', '')}.`),
    blocks: [
      section(
        `${keptBy(report) ? '🧊' : removalOf(report) ? '🗑️' : '⏳'} *${wanted(report, mrkdwn(report.environment, 60))}*${card.mention === undefined ? '' : ` ${group(card.mention)}`}\n${whose(report, card)}\n${counts}`,
        card.id,
      ),
      ...sections([...shown, ...more]),
      ...otherwise(report),
      ...leaving(report),
      ...(stop ? [context(`⚠️ ${stopped(stop, report)}`)] : []),
      ...(report.frozen
        ? [context(`🧊 ${message(freezeText(report.frozen), 400)} ${message(spoken(frozenThen(report), report.pullRequest !== undefined, report.stack), 600)}`)]
        : []),
      context(standing(report)),
      context(footer(report, card)),
      buttons(planned, card),
    ],
  };
}

/** As many values as are told apart; the check run tells all of them. */
const mostTold = 5;

/** Values in clear that are others than when the question before was asked: both of each. */
function otherwise({ question }: RunReport): ChatBlock[] {
  const moved = question ? earlierTexts(question) : [];
  const told = moved.slice(0, mostTold).map((text) => `Otherwise than before: ${mrkdwn(text, 400)}`);
  const more = moved.length > mostTold ? [`…and ${moved.length - mostTold} more values are others than before.`] : [];
  return told.length === 0 ? [] : [context(...told, ...more)];
}

/** `*1 of 2*, kim; may decide: …; open until …, then nothing is applied`. */
function standing(report: RunReport): string {
  const { question } = report;
  if (!question) return 'Its question is gone: look at the check run.';
  const { required = 1, approvedBy = [], expiresAt } = question;
  const by = approvedBy.length === 0 ? '' : ` (${mrkdwn(approvedBy.join(', '), 200)})`;
  const done = removalOf(report) ? 'deleted' : 'applied';
  const stays = (report.stops?.length ?? 0) === 0 ? `nothing is ${done}` : removalOf(report) ? 'nothing more is deleted' : 'what is applied stays';
  const until = `Open until ${moment(Date.parse(expiresAt))}; without an answer the run ends then, and ${stays}.`;
  return `*${approvedBy.length} of ${required}* approved${by}. ${until} May decide: ${mrkdwn(whoMayDecide(question), 300)}.`;
}

function buttons(planned: readonly PlannedDeed[], { asked }: OpenCard): ChatBlock {
  const value = JSON.stringify({ repository: asked.repository, run: asked.run, q: asked.q, digest: asked.digest });
  const confirm = confirmOf(planned);
  return actions(
    `${asked.run}:${asked.q}`,
    button({ id: buttonIds.approve, words: 'Approve', value, style: 'primary', ...(confirm ? { confirm } : {}) }),
    button({ id: buttonIds.reject, words: 'Reject', value, style: 'danger' }),
  );
}

/** What is wanted, and of which kind: whoever reads nothing else reads this. `environment` as it may stand there. */
function wanted(report: RunReport, environment: string): string {
  const removal = removalOf(report);
  if (keptBy(report)) return `${removal ?? 'Release'} approved, and frozen: ${environment}`;
  if (report.undoes !== undefined) return `Approval wanted to undo run ${mrkdwn(report.undoes.slice(0, 12))} in ${environment}`;
  return removal === undefined ? `Approval wanted in ${environment}` : `Approval wanted to ${removal.toLowerCase()} in ${environment}`;
}

/** What became of the plan that was approved before: in a sentence where this question is what came of that. */
const stopped = (stop: PlanStale, report: RunReport): string =>
  stop.replanned === report.question?.digest ? `${movedText(stop, report)}. This asks again.` : message(stopText(stop, report.round, knownOf(report)), 600);

/** What no line wants any more stays where it is: nobody may take it for gone. */
function leaving(report: RunReport): ChatBlock[] {
  const names = leavingOf(report);
  const more = names.length > mostTold ? ` and ${names.length - mostTold} more` : '';
  const told = names.slice(0, mostTold).map((label) => code(label));
  return names.length === 0 ? [] : [context(`No line wants ${told.join(', ')}${more} any more: left where it is until a prune.`)];
}
