import type { RunReport } from '../run/report.ts';
import { approvalsText, decisionText, shortDigest, stopText, whoMayDecide } from './approval.ts';
import { code, prose } from './escape.ts';
import type { Block } from './shorten.ts';
import { count, utc } from './words.ts';

/** The plan that waits for an answer: its digest, until when, who may decide, and what to type. */
export function question(report: RunReport): Block {
  const asked = report.status === 'awaiting' ? report.question : undefined;
  const approved = asked && approvalsText(asked);
  const items = asked
    ? [
        `- Digest ${code(shortDigest(asked.digest))}, in full ${code(asked.digest)}`,
        `- Open until ${utc(asked.expiresAt)}`,
        ...(approved === undefined ? [] : [`- Approved so far: ${prose(approved)}`]),
        `- May decide: ${prose(whoMayDecide(asked))}`,
        `- Type ${code(`lockkeeper approve ${shortDigest(asked.digest)} --stack <stack>`)}, or ${code(`lockkeeper reject ${shortDigest(asked.digest)} --stack <stack>`)}`,
      ]
    : [];
  const head = '\n**Asks for an approval** of exactly what stands below. If the world moves first, the run stops and asks again.\n\n';
  return { head, items, tail: '', left: (n) => count(n, 'line of the question', 'lines of the question'), rank: 0 };
}

/** How often the world moved under an approved plan, and what came of it. */
export const stops = (report: RunReport): Block => {
  const items = (report.stops ?? []).map((stop) => `- ${prose(stopText(stop, report.round))}`);
  return { head: '\n**Stopped** instead of applying what nobody has seen:\n\n', items, tail: '', left: (n) => count(n, 'stop'), rank: 1 };
};

/** Who has decided, and how far they are known. */
export const decisions = (report: RunReport): Block => {
  const items = (report.decisions ?? []).map((decision) => `- ${prose(decisionText(decision, report.question))}`);
  return { head: '\n**Decided**\n\n', items, tail: '', left: (n) => count(n, 'decision'), rank: 1 };
};
