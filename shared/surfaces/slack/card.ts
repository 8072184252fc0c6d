import { freezeText } from '../../freeze/frozen.ts';
import type { ChatBlock, ChatMessage } from '../../ports/chat.ts';
import type { RunReport } from '../../run/report.ts';
import { decisionText, earlierTexts, frozenThen, knownOf, shortDigest, stopText, whoMayDecide } from '../approval.ts';
import { isDestructive, type PlannedDeed, plannedDeeds } from '../deeds.ts';
import { plain } from '../escape.ts';
import { outcomeOf } from '../outcome.ts';
import { count } from '../words.ts';
import { actions, button, context, limits, section, sections } from './block-kit.ts';
import { code, group, link, moment, mrkdwn } from './mrkdwn.ts';
import { countsOf, row } from './rows.ts';

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
}

/** An open question on its card. */
export interface OpenCard extends CardFacts {
  readonly asked: AskedOf;
  /** Slack id of a group, or of a person, who is told. */
  readonly mention?: string;
}

/** Rows that a card shows; the check run shows every one. */
const mostRows = 10;
const mostDecisions = 5;

export const buttonIds = { approve: 'lockkeeper-approve', reject: 'lockkeeper-reject' } as const;

/**
 * The card of an open question: what it would do, the most dangerous first, until when it is open, what happens without an answer, and
 * two buttons that hold exactly what was seen. The same report and facts give the same bytes.
 */
export function openCard(report: RunReport, card: OpenCard): ChatMessage {
  const planned = plannedDeeds(report);
  const shown = planned.slice(0, mostRows).map(row);
  const left = planned.length - shown.length;
  const more = left > 0 ? [`…and ${left} more: read all of it in ${link(card.checkUrl ?? '', 'the check run')}.`] : [];
  const counts = countsOf(planned);
  const stop = report.stops?.at(-1);
  return {
    text: fallback(`Approval wanted in ${report.environment} of ${nameOf(report)}: ${counts.replaceAll('*', '')}.`),
    blocks: [
      section(
        `⏳ *Approval wanted in ${mrkdwn(report.environment, 60)}*${card.mention === undefined ? '' : ` ${group(card.mention)}`}\n${whose(report, card)}\n${counts}`,
        card.id,
      ),
      ...sections([...shown, ...more]),
      ...otherwise(report),
      ...(stop ? [context(`⚠️ ${mrkdwn(stopText(stop, report.round, knownOf(report)), 600)}`)] : []),
      ...(report.frozen ? [context(`🧊 ${mrkdwn(freezeText(report.frozen), 400)} ${mrkdwn(frozenThen(report), 400)}`)] : []),
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
  const stays = (report.stops?.length ?? 0) > 0 ? 'what is applied stays' : 'nothing is applied';
  const until = `Open until ${moment(Date.parse(expiresAt))}; without an answer the run ends then, and ${stays}.`;
  return `*${approvedBy.length} of ${required}* approved${by}. ${until} May decide: ${mrkdwn(whoMayDecide(question), 300)}.`;
}

function buttons(planned: readonly PlannedDeed[], { asked }: OpenCard): ChatBlock {
  const value = JSON.stringify({ repository: asked.repository, run: asked.run, q: asked.q, digest: asked.digest });
  const lost = planned.filter(({ deed }) => isDestructive(deed));
  const names = lost.slice(0, 5).map(({ label }) => plain(label, 40));
  const warning = `${count(lost.length, 'resource is', 'resources are')} deleted: ${names.join(', ')}${lost.length > names.length ? ', …' : ''}. Nothing brings back what they hold.`;
  const confirm = { title: `Delete ${count(lost.length, 'resource')}?`, text: plain(warning, limits.confirmText - 1), yes: 'Approve', no: 'Back' };
  return actions(
    `${asked.run}:${asked.q}`,
    button({ id: buttonIds.approve, words: 'Approve', value, style: 'primary', ...(lost.length > 0 ? { confirm } : {}) }),
    button({ id: buttonIds.reject, words: 'Reject', value, style: 'danger' }),
  );
}

/** The card of a question that was honoured: what was approved is being applied. */
export function approvedCard(report: RunReport, card: CardFacts & { readonly approvedBy: readonly string[] }): ChatMessage {
  const by = plain(card.approvedBy.join(', '), 200);
  return closed(report, card, '✅', `Approved${by === '' ? '' : ` by ${by}`}, being applied`);
}

/** The card of a run that is over, or stands at a stop: how it ended, without buttons. */
export function endedCard(report: RunReport, card: CardFacts): ChatMessage {
  const { glyph, title } = outcomeOf(report);
  return closed(report, card, glyph, title);
}

/** A card that its run knows nothing of, because its post got lost on the way back. */
export const strayCard = (id: string): ChatMessage => ({
  text: 'This card is not kept up to date.',
  blocks: [section('This card is not kept up to date: the run has another one, in this channel, and its check run.', id)],
});

function closed(report: RunReport, card: CardFacts, glyph: string, title: string): ChatMessage {
  const decisions = (report.decisions ?? []).map((decision) => mrkdwn(decisionText(decision, report.question), 200));
  return {
    text: fallback(`${report.environment} of ${nameOf(report)}: ${title}.`),
    blocks: [
      section(`${glyph} *${mrkdwn(report.environment, 60)}: ${mrkdwn(title)}*\n${whose(report, card)}`, card.id),
      ...sections(decisions.slice(0, mostDecisions)),
      ...(report.problem ? [context(`${report.problem.code}: ${mrkdwn(report.problem.message, 500)}`)] : []),
      context(footer(report, card)),
    ],
  };
}

const nameOf = ({ repository, plan }: RunReport): string => `${repository.owner}/${repository.name}${plan.name === 'main' ? '' : `, plan ${plan.name}`}`;

function whose(report: RunReport, { asker }: CardFacts): string {
  const pull = report.pullRequest === undefined ? '' : `, pull request #${report.pullRequest}`;
  return `${mrkdwn(nameOf(report), 200)}${pull}, commit ${code(report.commit.slice(0, 7))}${asker === undefined ? '' : `, asked for by ${mrkdwn(asker, 60)}`}`;
}

function footer(report: RunReport, { checkUrl }: CardFacts): string {
  const plan = report.question ? `Plan ${code(shortDigest(report.question.digest))} · ` : '';
  return `${plan}run ${code(report.run, 40)}${checkUrl === undefined ? '' : ` · ${link(checkUrl, 'check run')}`}`;
}

/** What a notification shows; Slack reads mrkdwn there, too. */
const fallback = (words: string): string => mrkdwn(words, 600);
