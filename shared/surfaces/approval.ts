/** What comment, check run and terminal say of a plan that people decide on. Plain text: whoever shows it escapes it. */
import { type MovedValues, type PlanDifference, resourceOf } from '../approvals/differences.ts';
import type { PlanStale, ReportedDecision, ReportedQuestion, RunReport } from '../run/report.ts';
import { sideText } from './side.ts';
import { utc } from './words.ts';

/** A digest as people read and type it: its first twelve digits. */
export const shortDigest = (digest: string): string => digest.slice(0, 12);

/** Who may answer: the people policy names, else whoever the host lets maintain the repository. */
export function whoMayDecide({ approvers, allowSelf }: ReportedQuestion): string {
  if (approvers?.length === 0) return 'nobody: policy names no approver';
  const people = approvers ? approvers.join(', ') : 'whoever has maintain or admin on the repository';
  return allowSelf ? people : `${people}; not the author of the commit, nor whoever started the run`;
}

/** `1 of 2 (ada)`, where more than one person must approve; undefined where one is enough. */
export function approvalsText({ required = 1, approvedBy = [] }: ReportedQuestion): string | undefined {
  if (required <= 1) return undefined;
  return `${approvedBy.length} of ${required}${approvedBy.length === 0 ? '' : ` (${approvedBy.join(', ')})`}`;
}

/** The freeze that keeps what enough people have approved from being applied; undefined where nothing is kept, or people have yet to answer. */
export function keptBy({ status, frozen, question }: Pick<RunReport, 'status' | 'frozen' | 'question'>): RunReport['frozen'] {
  const { required = 1, approvedBy = [] } = question ?? {};
  return status === 'awaiting' && approvedBy.length >= required ? frozen : undefined;
}

/** Whether the question runs out before the freeze ends that keeps its plan: then waiting brings nothing. */
export const isOutlasted = ({ frozen, question }: Pick<RunReport, 'frozen' | 'question'>): boolean =>
  frozen !== undefined && question !== undefined && Date.parse(frozen.until) > Date.parse(question.expiresAt);

/** What a freeze means for what is asked about. Plain text, after {@link freezeText}. */
export function frozenThen(report: Pick<RunReport, 'frozen' | 'question' | 'run' | 'ticked'>): string {
  if (!isOutlasted(report)) return 'What is approved waits until then.';
  const { question, frozen } = report;
  const ends = `The question runs out before that, at ${utc(question?.expiresAt ?? '')}`;
  return `${ends}: \`lockkeeper unfreeze ${frozen?.environment}\` ends the freeze before; ${askedAgain(report)}`;
}

/** How the same is asked once more. What was ticked is ticked again, as its row is by then. */
export const askedAgain = ({ run, ticked }: Pick<RunReport, 'run' | 'ticked'>): string =>
  ticked ? 'a tick of its box asks again afterwards.' : `\`lockkeeper retry ${run.slice(0, 12)}\` asks again afterwards.`;

/** `db, Neon branch live, parent: "main", now "base"`: each value in clear that is another one than when the plan before was asked about. */
export const earlierTexts = ({ earlier }: ReportedQuestion): string[] =>
  (earlier?.literals ?? []).map(({ line, label, path, before, after }) => `${line}, ${label}, ${path}: ${sideText(before)}, now ${sideText(after)}`);

/** `kim (unverified, self) approved plan 3f2a9c81e4d0 at 2026-01-05 10:00 UTC`. */
export function decisionText({ verdict, person, standing, at }: ReportedDecision, question: RunReport['question']): string {
  const who = standing === 'verified' ? person : `${person} (${standing})`;
  const plan = question ? `plan ${shortDigest(question.digest)}` : 'the plan';
  return `${who} ${verdict === 'approve' ? 'approved' : 'rejected'} ${plan} at ${utc(at)}`;
}

/** What a report knows of the resources that a stop speaks of by their keys. */
interface Known {
  readonly label: (key: string) => string;
  /** Labels of what the run has done in an earlier round. */
  readonly done: readonly string[];
}

/** The names by which people know what a stop is about: those of the report that tells of it. */
export function knownOf({ lines = [], done = [], drift = [] }: Partial<Pick<RunReport, 'lines' | 'done' | 'drift'>> = {}): Known {
  const seen = drift.map(({ resource: { key, label = key } }) => ({ key, label }));
  const labels = new Map([...seen, ...lines.flatMap(({ changes }) => changes)].map(({ key, label }) => [key, label]));
  const earlier = lines.flatMap((line) => line.earlier ?? []);
  return { label: (key) => labels.get(key) ?? key, done: [...done, ...earlier] };
}

/** The names of what is otherwise than when a plan was approved. What the run itself has done of it is no news. */
export function movedNames({ different = [], moved = [] }: Pick<PlanStale, 'different' | 'moved'>, { label, done }: Known): string[] {
  const names = [...moved.map(({ address }) => label(resourceOf({ address }))), ...different.map(({ resource }) => label(resource))];
  return [...new Set(names)].filter((name) => !done.includes(name));
}

/** The names of what no line wants any more: a plan that is approved leaves it where it is. */
export const leavingOf = ({ drift }: Pick<RunReport, 'drift'>): string[] =>
  drift.filter(({ kind }) => kind === 'orphan').map(({ resource: { key, label = key } }) => label);

/** Everything that was decided about a run, and the tick that it is of: `kim ticked Repair (3f2a9c81e4d0) on the dashboard at 2026-01-05 10:00 UTC`. */
export function decidedTexts({ decisions = [], question, ticked }: Pick<RunReport, 'decisions' | 'question' | 'ticked'>): string[] {
  const all = decisions.map((decision) => decisionText(decision, question));
  if (!ticked) return all;
  const box = ticked.box === 'repair' ? 'Repair' : 'Apply';
  return [`${ticked.by} ticked ${box} (${shortDigest(ticked.digest)}) on the dashboard at ${utc(ticked.at)}`, ...all];
}

const differenceWords: Readonly<Record<PlanDifference['what'], string>> = {
  new: 'is new',
  // It may be done, by this very run or by somebody, or be wanted no longer.
  gone: 'has nothing left to be done',
  changed: 'is to be done otherwise',
};

/** As many differences as are said: the plan itself stands below. */
const mostSaid = 5;

/** `: db, branch:main is new; vars, PAYMENT is otherwise; …`. Empty where nothing is known to differ. */
function differencesText(different: readonly PlanDifference[] = [], { label, done }: Known): string {
  const said = different.slice(0, mostSaid).map(({ line, resource, what }) => {
    const name = label(resource);
    return `${line}, ${name} ${what === 'gone' && done.includes(name) ? 'has been done' : differenceWords[what]}`;
  });
  return said.length === 0 ? '' : `: ${[...said, ...(different.length > mostSaid ? ['…'] : [])].join('; ')}`;
}

/** `: HOST, value; PORT`: which resources have moved, and in what. */
function movedText(moved: readonly MovedValues[], { label }: Known): string {
  const said = moved.slice(0, mostSaid).map(({ address, paths }) => {
    const name = label(resourceOf({ address }));
    // An attribute that is named as its resource is says nothing more.
    return [name, ...paths.filter((path) => !name.includes(path.replace(/^values\./, '')))].join(', ');
  });
  return `: ${[...said, ...(moved.length > mostSaid ? ['…'] : [])].join('; ')}`;
}

/** What a plan made anew says beside the one that was approved. What was approved is not applied either way (R4.8). */
export function replannedText({ differs, different, moved = [] }: PlanStale, known: Known = knownOf()): string {
  const values = moved.length === 0 ? '' : movedText(moved, known);
  if (differs)
    return `what it would do is different${differencesText(different, known)}${values === '' ? '' : `. Of the rest other values are seen${values}`}.`;
  return values === '' ? 'the same changes, over what has moved.' : `the same changes, where other values are seen${values}.`;
}

/**
 * One stop in two sentences: what moved, and what came of it.
 *
 * @param round the run's last one: a stop of an earlier one was planned again, though nothing may have come of that.
 */
export function stopText(stop: PlanStale, round: number, known: Known = knownOf()): string {
  const { round: stopped, step, cause, approved, replanned } = stop;
  const line = step === 'guard' ? 'The world' : `What line ${step} would change`;
  const moved = cause === 'state' ? 'The state that is managed' : line;
  const next =
    replanned === null
      ? round > stopped
        ? 'It was planned again, and that plan cannot be applied.'
        : 'It was not planned again.'
      : `Planned again as ${shortDigest(replanned)}: ${replannedText(stop, known)}`;
  return `${moved} moved after plan ${shortDigest(approved)} was approved. ${next}`;
}
