import { freezeText } from '../freeze/frozen.ts';
import type { RunReport } from '../run/report.ts';
import { approvalsText, decidedTexts, earlierTexts, frozenThen, knownOf, shortDigest, stopText, whoMayDecide } from './approval.ts';
import { code, prose } from './escape.ts';
import type { Block } from './shorten.ts';
import { count, utc } from './words.ts';

/** Where a question is read: what answers it there is said first. */
export type AskedOn = 'check' | 'comment';

/** The plan that waits for an answer: its digest, until when, who may decide, and how. */
export function question(report: RunReport, on: AskedOn): Block {
  const asked = report.status === 'awaiting' ? report.question : undefined;
  const approved = asked && approvalsText(asked);
  const items = asked
    ? [
        ...(report.frozen ? [`- ${prose(`${freezeText(report.frozen)} ${frozenThen(report)}`)}`] : []),
        ...deletedFirst(report),
        ...doneAlready(report),
        `- Digest ${code(shortDigest(asked.digest))}, in full ${code(asked.digest)}`,
        `- Open until ${utc(asked.expiresAt)}; without an answer the run then ends, and nothing more is applied`,
        ...(approved === undefined ? [] : [`- Approved so far: ${prose(approved)}`]),
        ...earlierTexts(asked).map((text) => `- Otherwise than in plan ${code(shortDigest(asked.earlier?.digest ?? ''))}: ${prose(text)}`),
        `- May decide: ${prose(whoMayDecide(asked))}`,
        `- ${howToAnswer(shortDigest(asked.digest), on)}`,
      ]
    : [];
  const head =
    '\n**Asks for an approval** of exactly what stands below. If what it would do here has changed by then, the run stops and asks again. What the plan does not name is not looked at.\n\n';
  return { head, items, tail: '', left: (n) => count(n, 'line of the question', 'lines of the question'), rank: 0 };
}

/** As many names as are said: the lines stand below. */
const mostNamed = 5;

/** What cannot be taken back comes before everything else. */
function deletedFirst({ lines }: RunReport): string[] {
  const labels = lines.flatMap(({ changes }) => changes.filter(({ replaces }) => replaces).map(({ label }) => code(label)));
  if (labels.length === 0) return [];
  const more = labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : '';
  return [`- ⚠️ **Deletes, and makes anew:** ${labels.slice(0, mostNamed).join(', ')}${more}`];
}

/** What an earlier approval let it do stays, whatever is answered now. */
function doneAlready({ done = [] }: RunReport): string[] {
  if (done.length === 0) return [];
  const more = done.length > mostNamed ? ` and ${done.length - mostNamed} more` : '';
  return [
    `- Done already, as approved before: ${done
      .slice(0, mostNamed)
      .map((label) => code(label))
      .join(', ')}${more}. This asks for the rest`,
  ];
}

function howToAnswer(digest: string, on: AskedOn): string {
  const typed = `type ${code(`lockkeeper approve ${digest} --stack <stack>`)} or ${code(`lockkeeper reject ${digest} --stack <stack>`)}`;
  if (on === 'check') return `Press **Approve** or **Reject** above, or ${typed}`;
  return `Comment ${code(`/lockkeeper approve ${digest}`)} or ${code(`/lockkeeper reject ${digest}`)} here, press a button of the check, or ${typed}`;
}

/** How often the world moved under an approved plan, and what came of it. */
export const stops = (report: RunReport): Block => {
  const items = (report.stops ?? []).map((stop) => `- ${prose(stopText(stop, report.round, knownOf(report)))}`);
  return { head: '\n**Stopped** instead of applying what nobody has seen:\n\n', items, tail: '', left: (n) => count(n, 'stop'), rank: 1 };
};

/** Who has decided, and how far they are known. */
export const decisions = (report: RunReport): Block => {
  const items = decidedTexts(report).map((text) => `- ${prose(text)}`);
  return { head: '\n**Decided**\n\n', items, tail: '', left: (n) => count(n, 'decision'), rank: 1 };
};
