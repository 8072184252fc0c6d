import type { ChatMessage } from '../../ports/chat.ts';
import type { PlanStale } from '../../run/report.ts';
import { replannedText, shortDigest } from '../approval.ts';
import { section } from './block-kit.ts';
import { code, group, moment, mrkdwn, person } from './mrkdwn.ts';

/** What is said below a card, found again by its id. */
const below = (id: string, text: string): ChatMessage => ({ text, blocks: [section(text, id)] });

/**
 * Tells those who decided before, in one sentence, what moved and that they are asked again.
 *
 * @param people Slack ids where policy knows them, GitHub logins otherwise.
 */
export function movedReply(id: string, stop: PlanStale, people: readonly string[]): ChatMessage {
  const to = people.length === 0 ? '' : `${people.map(person).join(' ')} `;
  const what = stop.cause === 'state' ? 'The state that is managed' : stop.step === 'guard' ? 'The world' : `What line ${stop.step} would change`;
  const now = replannedText(stop).replace('. Of the rest', '; of the rest').replace(/\.$/, '');
  const moved = mrkdwn(`${what} moved after plan ${shortDigest(stop.approved)} was approved, and the card above asks again: ${now}`, 900);
  return below(id, `${to}${moved}.`);
}

/** Reminds people of a question that is still open. @param expiresAt epoch ms. */
export function reminder(id: string, expiresAt: number, mention: string | undefined): ChatMessage {
  return below(id, `${mention === undefined ? '' : `${group(mention)} `}Still waiting for an answer: the question above is open until ${moment(expiresAt)}.`);
}

/** Why a click came to nothing, for the one who clicked. */
export const refusalText = (why: string): string => `⛔ ${mrkdwn(why, 1000)}`;

/** What a click came to, for the one who clicked. */
export const takenText = (verdict: 'approve' | 'reject', digest: string): string =>
  `${verdict === 'approve' ? '✅ Your approval' : '⛔ Your rejection'} of plan ${code(shortDigest(digest))} is recorded.`;
