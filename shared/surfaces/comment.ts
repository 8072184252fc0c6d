import type { RunReport } from '../run/report.ts';
import { decisions, question, stops } from './approval-sections.ts';
import { code, message, prose } from './escape.ts';
import { todos } from './instructions.ts';
import { outcomeOf } from './outcome.ts';
import { details, drift, kept, lines, notUndone, problems, stays, warnings } from './sections.ts';
import { shorten } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { spoken } from './spoken.ts';
import { count } from './words.ts';

/** GitHub refuses a body over 65,536 characters; what is near that limit has been seen cut. */
export const LONGEST_COMMENT = 60_000;

/** Room for the sentence about what was left out. */
const LEFT_OUT_ROOM = 600;

export interface Comment {
  /** Hidden in the body; one per plan and environment. A later run finds its comment by it. */
  readonly marker: string;
  readonly body: string;
}

/**
 * The one comment a pull request has per plan and environment: the outcome in a sentence, what went wrong, the lines, and
 * everything else folded. The same report gives the same bytes. Too long, it loses details first, then warnings, drift and
 * rows, and says so; the headline and, short of thousands, the refusals stay.
 */
export function renderComment(report: ShownReport, options: { readonly longest?: number; readonly marker?: string } = {}): Comment {
  const marker = options.marker ?? markerOf(report.plan.name, report.environment);
  const blocks = [asked, todos, problems, stops, notUndone, stays, lines, decisions, drift, kept, warnings, details].map((section) => section(report));
  const [head, foot] = [`${marker}\n${headline(report)}\n`, `\n${footer(report)}\n`];
  const { text, left } = shorten(blocks, (options.longest ?? LONGEST_COMMENT) - head.length - foot.length - LEFT_OUT_ROOM);
  return { marker, body: head + text + leftOut(left, report) + foot };
}

const asked = (report: ShownReport) => question(report, 'comment');

export const markerOf = (plan: string, environment: string): string => `<!-- lockkeeper: ${pair(plan, environment)} -->`;

/** The marker of a comment that tells what was pruned: what the scope's own comment says of its lines stays. */
export const prunedMarkerOf = (plan: string, environment: string): string => `<!-- lockkeeper pruned: ${pair(plan, environment)} -->`;

/** The marker of a comment that tells on a merged pull request what became of the commit it was merged as. */
export const mergedMarkerOf = (plan: string, environment: string): string => `<!-- lockkeeper after the merge: ${pair(plan, environment)} -->`;

/** Names are percent-encoded, so that none can end the comment or look like another pair of names. */
function pair(plan: string, environment: string): string {
  const part = (name: string) => encodeURIComponent(name.toWellFormed()).replaceAll('-', '%2D');
  return `${part(plan)}/${part(environment)}`;
}

/** Where to read what did not fit. Empty when nothing was left out. */
export function leftOut(left: readonly string[], { run, stack }: Pick<ShownReport, 'run' | 'stack'>): string {
  if (left.length === 0) return '';
  const ways = spoken(`\`lockkeeper receipt ${run.slice(0, 12)}\` and \`lockkeeper log ${run.slice(0, 12)}\``, false, stack);
  return `\nLeft out for length: ${left.join(', ')}. Read all of it with ${message(ways)}.\n`;
}

function headline(report: RunReport): string {
  const { glyph, title } = outcomeOf(report);
  const plan = report.plan.name === 'main' ? '' : ` (plan ${code(report.plan.name, 60)})`;
  return `### ${glyph} Lockkeeper, ${code(report.environment, 60)}${plan}: ${prose(title)}.`;
}

function footer(report: RunReport): string {
  const took = report.tookOver === undefined ? '' : ` It took over the lease of run ${code(report.tookOver, 40)}, which had stopped.`;
  return `<sub>Commit ${code(report.commit.slice(0, 7))} · run ${code(report.run, 40)} · ${count(report.managed, 'resource')} managed in ${code(report.scope, 100)}.${took}</sub>`;
}
