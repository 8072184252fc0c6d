import type { ChatMessage } from '../../ports/chat.ts';
import type { PlanStale } from '../../run/report.ts';
import { shortDigest } from '../approval.ts';
import { section } from './block-kit.ts';
import { code, group, moment, mrkdwn, person } from './mrkdwn.ts';

/** What is said below a card, found again by its id. */
const below = (id: string, text: string): ChatMessage => ({ text, blocks: [section(text, id)] });

const differenceWords = { new: 'is new', gone: 'is not to be done any more', changed: 'is otherwise' } as const;

/** Differences that are named: the card above shows the whole plan. */
const mostNamed = 3;

/**
 * Tells those who decided before, in one sentence, what moved and that they are asked again.
 *
 * @param people Slack ids where policy knows them, GitHub logins otherwise.
 */
export function movedReply(id: string, stop: PlanStale, people: readonly string[]): ChatMessage {
  const what = stop.cause === 'state' ? 'what is managed' : stop.step === 'guard' ? 'the world' : `what line ${stop.step} would change`;
  const named = (stop.different ?? []).slice(0, mostNamed).map((one) => `${one.line}, ${one.resource} ${differenceWords[one.what]}`);
  const more = (stop.different?.length ?? 0) > mostNamed ? '; …' : '';
  const now = stop.differs ? `it would do something else now${named.length > 0 ? ` (${named.join('; ')}${more})` : ''}` : 'it would still do the same';
  const to = people.length === 0 ? '' : `${people.map(person).join(' ')} `;
  return below(id, `${to}After plan ${code(shortDigest(stop.approved))} was approved, ${mrkdwn(`${what} moved, and ${now}`, 600)}: the card above asks again.`);
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
