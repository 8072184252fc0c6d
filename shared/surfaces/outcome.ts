import type { Problem } from '../errors/error.ts';
import { isRemoval, type LineReport, type RunReport } from '../run/report.ts';
import { keptBy } from './approval.ts';
import { type Deed, deedCounts, deedsOf, plannedDeeds } from './deeds.ts';
import { plain } from './escape.ts';
import { count, isTaken, statusWords } from './words.ts';

/** How a run ended, for a reader in a hurry. `title` has at most ten words, no environment and no foreign text but line ids. */
export interface Outcome {
  readonly glyph: '✅' | '⏳' | '❌' | '⛔' | '⏭️' | '🗑️' | '🔎';
  readonly title: string;
}

/** What a run's end is called. It claims that nothing was written only where no line could have written. */
export function outcomeOf(report: RunReport): Outcome {
  const { status, kind } = report;
  if (status === 'superseded') return { glyph: '⏭️', title: `${ofKind(report, 'Superseded')}, ${remains(report)}` };
  if (status === 'stale') return { glyph: '⏭️', title: `Older than what is applied, ${remains(report)}` };
  if (status === 'fenced-out') return { glyph: '❌', title: 'Lost the lease; the run that took it goes on' };
  if (status === 'awaiting') return { glyph: '⏳', title: `${keptBy(report) ? 'Approved, but frozen' : asksFor(report)}: ${plannedText(report)}` };
  if (status === 'rejected') return { glyph: '⛔', title: `${ofKind(report, 'Rejected')}, ${remains(report)}` };
  if (status === 'cancelled') return { glyph: '⛔', title: `${ofKind(report, 'Cancelled')}, ${remains(report)}` };
  if (status === 'expired') return { glyph: '⏭️', title: `${ofKind(report, ranOut(report))}, ${remains(report)}` };
  if (isUnapproved(report)) return { glyph: '⛔', title: `Refused where people approve first, ${remains(report)}` };
  if (kind === 'plan') return planOutcome(report);
  if (kind === 'drift') return scanOutcome(report);
  if (kind === 'destroy') return destroyOutcome(report);
  if (kind === 'recover') return recoverOutcome(report);
  return kind === 'prune' ? pruneOutcome(report) : applyOutcome(report);
}

function ranOut({ problem, decisions = [] }: RunReport): string {
  if (problem?.code === 'FROZEN') return 'Approved, frozen until it ran out';
  if (problem?.code === 'EXPIRED') return 'Approved, and ran out before its end';
  return `${decisions.length > 0 ? 'Too few' : 'Nobody'} approved in time`;
}

/** Whether the run stopped because nobody has approved what it would write. */
export const isUnapproved = (report: RunReport): boolean => report.status === 'failed' && report.problem?.code === 'ENV_NOT_APPROVED';

/** Whether the round ended with something that a person has to do, or undo, before it goes on. */
export const waitsForPerson = (report: RunReport): boolean => report.status === 'partial' && report.lines.some((line) => line.manual !== undefined);

/** Whether a person's word about a step would be taken: only while the run goes on. */
export const asksForWord = ({ kind, status }: RunReport): boolean => kind !== 'plan' && kind !== 'drift' && status === 'partial';

/** Lines a reader must look at: with a problem of their own, and not merely held up by another line. */
export const badLines = (report: RunReport): readonly LineReport[] =>
  report.lines.filter((line) => statusWords[line.status].tone === 'bad' && line.problem?.code !== 'DEPENDENCY_BLOCKED');

/** Whether a run's problem is the one its line tells already. */
export const isProblemOf = ({ problem }: LineReport, { code, message }: Problem): boolean => problem?.code === code && problem.message === message;

/** What is asked about, when it is no apply: whoever reads `delete 7` must know that all of it goes. */
export function removalOf({ kind, undoes }: Pick<RunReport, 'kind' | 'undoes'>): 'Undo' | 'Destroy' | 'Prune' | undefined {
  if (undoes !== undefined) return 'Undo';
  if (kind === 'destroy') return 'Destroy';
  return kind === 'prune' ? 'Prune' : undefined;
}

const asksFor = (report: RunReport): string => ofKind(report, 'Waits for approval');

/** `Destroy rejected`: what came of a run, and of which kind where it is no apply. */
function ofKind(report: RunReport, words: string): string {
  const removal = removalOf(report);
  return removal === undefined
    ? words
    : `${removal}${words.includes(',') || words.startsWith('Nobody') ? ':' : ''} ${words[0]?.toLowerCase()}${words.slice(1)}`;
}

const deedTitles: Readonly<Record<Deed, (n: number) => string>> = {
  delete: (n) => `delete ${n}`,
  replace: (n) => `replace ${n}`,
  forget: (n) => `forget ${n}`,
  adopt: (n) => `adopt ${n}`,
  import: (n) => `import ${n}`,
  update: (n) => `update ${n}`,
  move: (n) => `move ${n}`,
  create: (n) => `create ${n}`,
  run: (n) => `run ${n}`,
  todo: (n) => `${n} by hand`,
};

/** What a plan would do, counted by resource: a line may create one and change another. */
export function plannedText(report: RunReport): string {
  const counts = deedCounts(plannedDeeds(report)).map(([deed, n]) => deedTitles[deed](n));
  return [...counts, ...stillOpen(report)].join(', ') || 'nothing';
}

/** Lines of which nobody can say yet what they would do. */
function stillOpen({ lines }: RunReport): string[] {
  const n = lines.filter((line) => line.status === 'pending' && deedsOf(line).length === 0).length;
  return n > 0 ? [`${count(n, 'line')} pending`] : [];
}

function planOutcome(report: RunReport): Outcome {
  if (report.status === 'failed') return { glyph: '❌', title: `Plan failed${cause(report)}` };
  const moves = report.lines.some((line) => line.status !== 'unchanged');
  if (!moves) return { glyph: '🔎', title: `Nothing to change in ${count(report.lines.length, 'line')}` };
  const left = report.lines.flatMap(({ changes }) => changes).filter(({ kind }) => kind === 'unchanged').length;
  const would = [
    ...deedCounts(plannedDeeds(report)).map(([deed, n]) => (deed === 'todo' ? `leave ${n} to a person` : deedTitles[deed](n))),
    ...(left > 0 ? [`leave ${left}`] : []),
  ];
  const open = stillOpen(report);
  return { glyph: '🔎', title: would.length === 0 ? open.join('') || 'Nothing to change' : [`Would ${would.join(', ')}`, ...open].join(', ') };
}

/** A scan that could not look at everything says so, whatever the rest of it came to. */
function scanOutcome(report: RunReport): Outcome {
  if (report.status === 'failed') return { glyph: '❌', title: `Drift scan failed${cause(report)}` };
  const drifted = report.drift.filter(({ kind, accepted }) => (kind === 'changed' || kind === 'missing') && !accepted).length;
  return { glyph: '🔎', title: drifted === 0 ? `No drift in ${count(report.lines.length, 'line')}` : `${count(drifted, 'resource')} drifted` };
}

function applyOutcome(report: RunReport): Outcome {
  const applied = tally(report, 'applied');
  if (report.status === 'failed') return { glyph: '❌', title: `Apply failed${cause(report)}, ${afterwards(report)}` };
  if (report.status === 'partial') return { glyph: '⏳', title: `${applied === 0 ? 'Nothing new' : count(applied, 'line')} applied, ${awaited(report)}` };
  const before = report.lines.filter(({ status, earlier }) => status === 'unchanged' && earlier).length;
  const unchanged = tally(report, 'unchanged') - before;
  if (applied + before === 0) return { glyph: '✅', title: `Nothing to change in ${count(report.lines.length, 'line')}` };
  return { glyph: '✅', title: `${count(applied + before, 'line')} applied${unchanged > 0 ? `, ${unchanged} unchanged` : ''}` };
}

function destroyOutcome(report: RunReport): Outcome {
  const left = `${count(report.managed, 'resource')} still managed`;
  if (report.status === 'failed') return { glyph: '❌', title: `Removal failed${cause(report)}, ${left}` };
  if (report.status === 'partial') return { glyph: '⏳', title: `Removal not finished, ${left}` };
  const removed = report.lines.filter(isTaken).length;
  if (removed === 0 && report.kept.length === 0) return { glyph: '🗑️', title: 'Nothing to remove' };
  const alone = report.kept.length > 0 ? `, ${leftAlone(report)}` : '';
  return { glyph: '🗑️', title: `${removed === 0 ? 'Nothing' : count(removed, 'line')} removed${alone}` };
}

const leftAlone = (report: RunReport): string => `${count(report.kept.length, 'resource')} left alone`;

/** What becomes of a run's creations. A run's id says nothing to whoever reads a title. */
function undoOutcome(report: RunReport): Outcome {
  if (report.status === 'failed') return { glyph: '❌', title: `Undoing a run failed${cause(report)}` };
  const undone = report.lines.filter(isTaken).length;
  return { glyph: '🗑️', title: undone === 0 ? 'Nothing left to undo of that run' : `Undone what a run created in ${count(undone, 'line')}` };
}

function pruneOutcome(report: RunReport): Outcome {
  if (report.undoes !== undefined) return undoOutcome(report);
  if (report.status === 'failed') return { glyph: '❌', title: `Prune failed${cause(report)}` };
  const pruned = report.lines.filter(isTaken).length;
  if (report.lines.length === 0 && report.drift.length > 0) return { glyph: '🔎', title: `Would remove ${count(report.drift.length, 'orphan')}` };
  return { glyph: '🗑️', title: pruned === 0 ? 'No orphans to remove' : `Orphans of ${count(pruned, 'line')} removed` };
}

function recoverOutcome(report: RunReport): Outcome {
  if (report.status === 'failed' || !report.recovery) return { glyph: '❌', title: `Recovery failed${cause(report)}, nothing is called whole` };
  const { dry, lines } = report.recovery;
  const restored = lines.filter(({ does }) => does === 'restore').length;
  if (restored === 0 && report.recovery.head === 'keep') return { glyph: '✅', title: 'Nothing to recover' };
  return {
    glyph: dry ? '🔎' : '✅',
    title: `${dry ? 'Would restore' : 'Restored'} ${count(restored, 'line')}, ${dry ? 'keep' : 'kept'} ${lines.length - restored}`,
  };
}

/** Where it failed: the line when it is one, their number when they are several, else the run's own code. */
function cause(report: RunReport): string {
  const bad = badLines(report);
  const [first] = bad;
  if (bad.length > 1) return ` in ${bad.length} lines`;
  if (first) return ` at ${plain(first.id, 60)}${first.problem ? ` (${first.problem.code})` : ''}`;
  return report.problem ? `: ${report.problem.code}` : '';
}

/** What a failed apply left behind. */
function afterwards(report: RunReport): string {
  if (report.lines.some(isGone)) return 'deleted and not made anew';
  if (tally(report, 'rollback_failed') > 0) return 'rollback incomplete';
  if (report.notUndone.length > 0) return `${count(report.notUndone.length, 'update')} not undone`;
  const applied = tally(report, 'applied');
  if (applied > 0) return `${count(applied, 'line')} stay${applied === 1 ? 's' : ''} applied`;
  if (report.kept.length > 0) return leftAlone(report);
  const undone = tally(report, 'rolled_back');
  if (undone > 0) return `${count(undone, 'line')} rolled back`;
  return tally(report, 'failed') > 0 ? 'nothing else applied' : 'nothing written';
}

/** Lines that deleted what was to be made anew, and could not make it. */
const isGone = ({ status, notes }: LineReport): boolean => (status === 'failed' || status === 'rollback_failed') && notes?.['deleted'] !== undefined;

/** What a run that gave way left behind. */
function remains(report: RunReport): string {
  const { stays = [] } = report;
  // An earlier round may have removed what this one does not speak of.
  if (isRemoval(report.kind) && report.stops !== undefined) return `${count(report.managed, 'resource')} still managed`;
  if (stays.length > 0) return `${count(stays.length, 'resource')} applied before ${stays.length === 1 ? 'stays' : 'stay'}`;
  const written = report.lines.filter((line) =>
    ['applied', 'failed', 'rolled_back', 'rollback_failed', 'destroyed', 'destroy_failed', 'waiting'].includes(line.status),
  );
  if (written.length === 0) return 'nothing written';
  const applied = tally(report, 'applied');
  return applied > 0 ? `${count(applied, 'line')} applied before` : 'see the lines';
}

/** What the open lines wait for: the event when it is one, their number otherwise. */
function awaited(report: RunReport): string {
  const waiting = report.lines.filter((line) => line.status === 'waiting');
  const events = new Set(waiting.map((line) => line.waitingFor));
  const [event] = events;
  const open = `${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}`;
  if (waiting.length === 0) return 'more to come';
  return events.size === 1 && event !== undefined ? `${open} for ${plain(event, 40)}` : open;
}

const tally = (report: RunReport, status: LineReport['status']): number => report.lines.filter((line) => line.status === status).length;

/** A problem that stands for several, the mistakes of a plan file, holds them all in its details, itself first. */
export function everyProblem(problem: Problem): readonly Problem[] {
  const all = problem.details?.['problems'];
  return Array.isArray(all) ? (all as Problem[]) : [problem];
}
