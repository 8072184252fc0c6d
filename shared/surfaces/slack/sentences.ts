import type { ChatMessage } from '../../ports/chat.ts';
import type { PlanStale, RunReport } from '../../run/report.ts';
import { knownOf, movedNames, shortDigest } from '../approval.ts';
import { section } from './block-kit.ts';
import { code, group, message, moment, person } from './mrkdwn.ts';

/** What is said below a card, found again by its id. */
const below = (id: string, text: string): ChatMessage => ({ text, blocks: [section(text, id)] });

/** As many names as are said below a card: the card itself shows the plan. */
const mostNamed = 3;

/**
 * Tells those who decided before, in one sentence, what moved, what of theirs was done, and that they are asked again.
 *
 * @param report of the question that asks again.
 * @param people Slack ids where policy knows them, GitHub logins otherwise.
 */
export function movedReply(id: string, stop: PlanStale, report: Pick<RunReport, 'lines' | 'done' | 'drift'>, people: readonly string[]): ChatMessage {
  const to = people.length === 0 ? '' : `${people.map(person).join(' ')} `;
  const again = stop.replanned === null ? '' : ` (plan ${code(shortDigest(stop.replanned))})`;
  return below(id, `${to}${movedText(stop, report)}, so please decide again on the card above${again}.`);
}

/** `Of plan 3f2a9c81e4d0, which was approved, nothing is done: HOST has changed since`. With its markup. */
export function movedText(stop: PlanStale, report: Pick<RunReport, 'lines' | 'done' | 'drift'>): string {
  const { done = [] } = report;
  const names = movedNames(stop, knownOf(report));
  const unnamed =
    stop.cause === 'state' ? 'what is managed there' : stop.step === 'guard' ? 'what it was planned on' : `what line ${code(stop.step)} would change`;
  const moved = names.length > 0 ? `${listOf(names)} ${names.length === 1 ? 'has' : 'have'}` : `${unnamed} has`;
  return `Of plan ${code(shortDigest(stop.approved))}, which was approved, ${done.length === 0 ? 'nothing' : `only ${listOf(done)}`} is done: ${moved} changed since`;
}

function listOf(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${names
    .slice(0, mostNamed)
    .map((name) => code(name, 100))
    .join(', ')}${more}`;
}

/** Reminds people of a question that is still open. @param expiresAt epoch ms. */
export function reminder(id: string, expiresAt: number, mention: string | undefined): ChatMessage {
  return below(id, `${mention === undefined ? '' : `${group(mention)} `}Still waiting for an answer: the question above is open until ${moment(expiresAt)}.`);
}

/** Why a click came to nothing, for the one who clicked. */
export const refusalText = (why: string): string => `⛔ ${message(why, 1000)}`;

/** What a click came to, for the one who clicked. */
export const takenText = (verdict: 'approve' | 'reject', digest: string): string =>
  `${verdict === 'approve' ? '✅ Your approval' : '⛔ Your rejection'} of plan ${code(shortDigest(digest))} is recorded.`;
