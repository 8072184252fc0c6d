import type { CheckAction, CheckConclusion } from '../ports/code-host.ts';
import type { RunKind, RunReport } from '../run/report.ts';
import { decisions, question, stops } from './approval-sections.ts';
import { checkActions } from './check-actions.ts';
import { leftOut } from './comment.ts';
import { asciiJson, code, jsonBlock, plain, prose } from './escape.ts';
import { todos } from './instructions.ts';
import { isUnapproved, outcomeOf, waitsForPerson } from './outcome.ts';
import { details, drift, kept, lines, notUndone, problems, stays, warnings } from './sections.ts';
import { shorten } from './shorten.ts';
import type { ShownReport } from './shown-report.ts';
import { statusBlock } from './status-block.ts';
import { count } from './words.ts';

/** GitHub takes 65,535 characters each for a check run's summary and text; some room is left below that. */
const LONGEST_SUMMARY = 30_000;
export const LONGEST_TEXT = 40_000;

/** A check run as it is shown. `title` is plain text of about ten words, `summary` and `text` are Markdown. */
export interface Check {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly conclusion: CheckConclusion;
  readonly actions?: readonly CheckAction[];
}

/** A check run whose run is not over. */
export type OpenCheck = Pick<Check, 'name' | 'title' | 'summary'>;

/**
 * The check run of a run at rest: what went wrong in the summary, the lines in the text, and JSON for programs last.
 *
 * @param note what the summary begins with: the answer to whoever pressed a button. Markdown.
 */
export function renderCheck(report: ShownReport, note = ''): Check {
  const { glyph, title } = outcomeOf(report);
  const top = shorten(
    [asked, todos, problems, stops, notUndone, stays, decisions, kept].map((section) => section(report)),
    LONGEST_SUMMARY,
  );
  // Whoever decides by a button of the check reads there what changes, before and after.
  const each = report.status === 'awaiting' || report.kind === 'plan' ? [details(report)] : [];
  const rest = shorten([lines(report), drift(report), warnings(report), ...each], LONGEST_TEXT);
  const summary = `${note}${note === '' ? '' : '\n'}${glyph} ${prose(title)}. ${count(report.managed, 'resource')} managed in ${code(report.scope, 100)}; run ${code(report.run, 40)}.\n${top.text}`;
  const left = [...top.left, ...rest.left];
  return {
    name: report.kind === 'prune' ? `${checkName(report.plan.name, report.environment)} / prune` : checkName(report.plan.name, report.environment),
    title: plain(title, 200),
    summary,
    text: `${rest.text}${leftOut(left, report)}\n${statusBlock(report)}\n`,
    conclusion: conclusionOf(report),
    actions: checkActions(report),
  };
}

const asked = (report: ShownReport) => question(report, 'check');

/** The check run at the start of a run. */
export function renderInProgress(run: {
  readonly plan: string;
  readonly environment: string;
  readonly kind: RunKind;
  readonly run: string;
  readonly commit: string;
}): OpenCheck {
  const doing = { plan: 'Planning', apply: 'Applying', destroy: 'Removing', prune: 'Pruning', recover: 'Recovering', drift: 'Reading' }[run.kind];
  return { name: checkName(run.plan, run.environment), title: `${doing}…`, summary: `${doing} ${code(run.commit.slice(0, 7))}; run ${code(run.run, 40)}.` };
}

export interface StillManaged {
  readonly plan: { readonly name: string; readonly path: string };
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  readonly ofPullRequest: boolean;
  /** What the ledger holds, by line: the adapter's names of the resources. */
  readonly lines: readonly { readonly id: string; readonly keys: readonly string[] }[];
}

/** The check run of a commit without a plan file whose scope still has a ledger: nothing was done, and this is what stays. */
export function renderStillManaged({ plan, environment, scope, commit, ofPullRequest, lines: managed }: StillManaged): Check {
  const resources = managed.reduce((sum, line) => sum + line.keys.length, 0);
  const rows = managed.flatMap((line) => line.keys.map((key) => `- ${code(key)} (line ${code(line.id)})`));
  const rest = shorten([{ head: '\n', items: rows, tail: '', left: (n) => count(n, 'resource'), rank: 0 }], LONGEST_TEXT);
  const status = {
    format: 1,
    status: 'no-plan',
    plan: plan.name.slice(0, 200),
    environment: environment.slice(0, 200),
    scope: scope.slice(0, 200),
    commit,
    managed: resources,
  };
  const left = rest.left.length === 0 ? '' : `\nLeft out for length: ${rest.left.join(', ')}. Read all of it with \`lockkeeper show\`.\n`;
  return {
    name: checkName(plan.name, environment),
    title: resources === 0 ? 'No plan file' : `No plan file; ${count(resources, 'resource')} still managed`,
    summary: `${code(plan.path)} is not in this commit, so nothing was done. ${whatStays(resources, scope, ofPullRequest)}`,
    text: `${rest.text}${left}\n${jsonBlock(asciiJson(status))}\n`,
    conclusion: 'neutral',
  };
}

function whatStays(resources: number, scope: string, ofPullRequest: boolean): string {
  if (resources === 0) return `Nothing is managed in ${code(scope, 100)}.`;
  const stays = `${count(resources, 'resource')} of ${code(scope, 100)} ${resources === 1 ? 'stays' : 'stay'} managed`;
  return `${stays}: bring the file back${ofPullRequest ? ', or close the pull request to remove what Lockkeeper made' : ''}.`;
}

/** One check per plan and environment; the plan is named when it is not the only one. */
export function checkName(plan: string, environment: string): string {
  const parts = plan === 'main' ? ['lockkeeper', environment] : ['lockkeeper', plan, environment];
  return parts.map((part) => plain(part, 60)).join(' / ');
}

/** Design section 5, the table of statuses. */
export function conclusionOf(report: RunReport): CheckConclusion {
  if (isUnapproved(report)) return 'action_required';
  switch (report.status) {
    case 'complete':
      return 'success';
    case 'awaiting':
      return 'action_required';
    case 'expired':
      return 'timed_out';
    case 'rejected':
      return 'failure';
    case 'partial':
      return waitsForPerson(report) ? 'action_required' : 'neutral';
    case 'cancelled':
      return 'cancelled';
    case 'superseded':
    case 'stale':
      return 'neutral';
    case 'failed':
    case 'fenced-out':
      return 'failure';
  }
}
