import { typedWord } from '../engine/ways-on.ts';
import type { ChatMessage } from '../ports/chat.ts';
import type { Findings, LineFinding } from '../scans/findings.ts';
import { driftedWords, inStack } from './dashboard/row-words.ts';
import { code } from './escape.ts';
import { context, section } from './slack/block-kit.ts';
import { code as slackCode } from './slack/mrkdwn.ts';
import { count } from './words.ts';

/** How many resources a notice names. */
const mostNamed = 10;

/** How many paths of one. */
const mostPaths = 5;

interface Named {
  readonly line: string;
  readonly label: string;
  readonly what: string;
  readonly paths: readonly string[];
}

/** The drift of a scan that is news. Paths and names alone: a notice goes to more people than may see a value. */
function newsOf(lines: readonly LineFinding[]): Named[] {
  return lines.flatMap(({ id, resources, news = [] }) =>
    resources.flatMap(({ label, drifted, fingerprint, change }) => {
      if (!drifted || fingerprint === undefined || !news.includes(fingerprint)) return [];
      const paths = drifted === 'changed' ? (change?.fields ?? []).map(({ path }) => path) : [];
      return [{ line: id, label, what: driftedWords[drifted === 'missing' ? 'gone' : drifted], paths }];
    }),
  );
}

type Code = (text: string, longest?: number) => string;

const listed = (news: readonly Named[], as: Code): string[] => [
  ...news.slice(0, mostNamed).map(({ line, label, what, paths }) => {
    const named = paths.slice(0, mostPaths).map((path) => as(path, 60));
    const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : '';
    return `${as(label, 100)} (line ${as(line)}): ${what}${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`;
  }),
  ...(news.length > mostNamed ? [`and ${count(news.length - mostNamed, 'more resource')}`] : []),
];

/** What people have been told of before has not gone away for that. */
function headline({ plan, environment, lines }: Findings, news: readonly Named[], as: Code): string {
  const known = lines.flatMap(({ resources }) => resources).filter(({ drifted }) => drifted !== undefined).length - news.length;
  const beside = known <= 0 ? '' : `, beside ${known} that ${known === 1 ? 'was' : 'were'} told of before`;
  return `New drift in ${as(environment)}${plan === 'main' ? '' : ` (plan ${as(plan)})`}: ${count(news.length, 'resource')}${beside}`;
}

/** The three ways on, as they are typed anywhere; the first stands on the dashboard as a box, too. What a stack holds stands in its own files. */
function waysText({ environment, repository }: Findings, news: readonly LineFinding[], stack: string | undefined, as: Code): string {
  if (news.every((line) => line.stack)) return 'Put it back: tick **Repair** on the dashboard. Or write what is live into the stack’s own files.';
  const where = `--env ${typedWord(environment)} --branch ${typedWord(repository.defaultBranch)}${inStack({ branch: repository.defaultBranch, ...(stack === undefined ? {} : { stack }) })}`;
  const typed = (words: string) => as(`lockkeeper ${words} ${where}`, 300);
  return `Put it back: tick **Repair** on the dashboard. Make it the plan: ${typed('absorb <line>')}. Leave it for now: ${typed('accept <line> --until 7d --reason "why"')}.`;
}

/** Hidden in the comment: a step that is repeated finds its own. */
export const driftNoticeMarker = (run: string): string => `<!-- lockkeeper drift: ${run} -->`;

/** One comment for all that a scan found anew. */
export function renderDriftNotice(findings: Findings, lines: readonly LineFinding[], stack?: string): { readonly marker: string; readonly body: string } {
  const news = newsOf(lines);
  const marker = driftNoticeMarker(findings.run);
  const rows = listed(news, code).map((row) => `- ${row}`);
  const foot = `<sub>Commit ${code(findings.commit.slice(0, 7))} · scan ${code(findings.run, 40)}</sub>`;
  return { marker, body: `${marker}\n🔀 ${headline(findings, news, code)}.\n\n${rows.join('\n')}\n\n${waysText(findings, lines, stack, code)}\n\n${foot}\n` };
}

/** The same for a channel in Slack. @param id by which it is found again. */
export function slackDriftNotice(id: string, findings: Findings, lines: readonly LineFinding[], stack?: string): ChatMessage {
  const news = newsOf(lines);
  const { owner, name } = findings.repository;
  const head = `🔀 ${headline(findings, news, slackCode)} of ${slackCode(`${owner}/${name}`, 140)}`;
  const text = [head, ...listed(news, slackCode).map((row) => `• ${row}`)].join('\n');
  return { text: head, blocks: [section(text, id), context(waysText(findings, lines, stack, slackCode).replaceAll('**', '*'))] };
}
