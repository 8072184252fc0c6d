import { freezeText } from '../freeze/frozen.ts';
import type { RunReport } from '../run/report.ts';
import { approvalsText, decidedTexts, earlierTexts, frozenThen, keptBy, knownOf, leavingOf, shortDigest, stopText, whoMayDecide } from './approval.ts';
import { type PlannedDeed, plannedDeeds } from './deeds.ts';
import { code, message, prose } from './escape.ts';
import { removalOf } from './outcome.ts';
import type { Block } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { spoken } from './spoken.ts';
import { count, utc } from './words.ts';

/** Where a question is read: what answers it there is said first. */
export type AskedOn = 'check' | 'comment';

/** The plan that waits for an answer: its digest, until when, who may decide, and how. */
export function question(report: ShownReport, on: AskedOn): Block {
  const asked = report.status === 'awaiting' ? report.question : undefined;
  const approved = asked && approvalsText(asked);
  const items = asked
    ? [
        ...deletedFirst(report),
        ...(report.frozen ? [`- 🧊 ${message(spoken(`${freezeText(report.frozen)} ${frozenThen(report)}`, on === 'comment', report.stack))}`] : []),
        ...doneAlready(report),
        ...leaving(report),
        ...(approved === undefined ? [] : [`- Approved so far: ${prose(approved)}`]),
        ...earlierTexts(asked).map((text) => `- Otherwise than in plan ${code(shortDigest(asked.earlier?.digest ?? ''))}: ${prose(text)}`),
        `- ${howToAnswer(shortDigest(asked.digest), on, report.stack)}`,
        `- Open until ${utc(asked.expiresAt)}; without an answer the run then ends, and nothing more is ${removalOf(report) ? 'deleted' : 'applied'}`,
        `- May decide: ${prose(whoMayDecide(asked))}`,
        `- Plan ${code(shortDigest(asked.digest))}, in full ${code(asked.digest)}`,
      ]
    : [];
  const head = `\n${askedText(report)} If what it would do here has changed by then, the run stops and asks again. What the plan does not name is not looked at.\n\n`;
  return { head, items, tail: '', left: (n) => count(n, 'line of the question', 'lines of the question'), rank: 0 };
}

/** What is asked, and of which kind where it is no apply. */
function askedText(report: RunReport): string {
  if (keptBy(report)) return '**Approved, and kept by a freeze** from being done.';
  const removal = removalOf(report);
  if (report.undoes !== undefined) return `**Asks for an approval to undo** what run ${code(report.undoes.slice(0, 12))} created, exactly as it stands here.`;
  return removal === undefined
    ? '**Asks for an approval** of exactly what stands below.'
    : `**Asks for an approval to ${removal.toLowerCase()}** exactly what stands here.`;
}

/** As many names as are said: the lines stand below. */
const mostNamed = 5;
/** Of what is deleted, as many as anybody reads. */
const mostDeleted = 25;

/** What cannot be taken back comes before everything else, each with the name that people know it by. */
function deletedFirst(report: RunReport): string[] {
  const planned = plannedDeeds(report);
  const of = (deed: PlannedDeed['deed']) => planned.filter((one) => one.deed === deed).map(({ label }) => label);
  return [...namesBelow('🗑️ **Deletes', of('delete')), ...namesBelow('♻️ **Deletes, and makes anew,', of('replace'))];
}

function namesBelow(title: string, labels: readonly string[]): string[] {
  if (labels.length === 0) return [];
  const shown = labels.slice(0, mostDeleted).map((label) => `\n  - ${code(label)}`);
  const more = labels.length > mostDeleted ? `\n  - and ${labels.length - mostDeleted} more: the table below` : '';
  return [`- ${title} ${count(labels.length, 'resource')}:**${shown.join('')}${more}`];
}

/** What no line wants any more is left where it is: nobody may take it for gone. */
function leaving(report: RunReport): string[] {
  const labels = leavingOf(report);
  const more = labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : '';
  const said = labels.slice(0, mostNamed).map((label) => code(label));
  return labels.length === 0 ? [] : [`- No line wants any more, and left where it is until a prune: ${said.join(', ')}${more}`];
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

function howToAnswer(digest: string, on: AskedOn, stack = '<stack>'): string {
  const typed = `type ${code(`lockkeeper approve ${digest} --stack ${stack}`)} or ${code(`lockkeeper reject ${digest} --stack ${stack}`)}`;
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
