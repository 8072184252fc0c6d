import type { ShownChange } from '../engine/op.ts';
import type { DriftItem, DriftKind, LineReport, LineStatus, RunReport, RunStatus } from '../run/report.ts';

export { utc } from '../errors/moment.ts';

/** How one status of a line is shown: `glyph` in Markdown, `symbol` in a terminal, `word` in both. */
export interface StatusWords {
  readonly glyph: string;
  readonly symbol: '+' | '~' | '=' | '?' | '-' | '!';
  readonly word: string;
  /** What a reader has to do with it: bad needs a person, open comes by itself, done and same need nothing. */
  readonly tone: 'bad' | 'open' | 'done' | 'same';
}

/** Every status of a line, for comment, check run and terminal alike. */
export const statusWords: Readonly<Record<LineStatus, StatusWords>> = {
  create: { glyph: '➕', symbol: '+', word: 'create', tone: 'done' },
  update: { glyph: '✏️', symbol: '~', word: 'update', tone: 'done' },
  delete: { glyph: '🗑️', symbol: '-', word: 'delete', tone: 'done' },
  adopt: { glyph: '🫱', symbol: '~', word: 'adopt', tone: 'done' },
  unchanged: { glyph: '▫️', symbol: '=', word: 'unchanged', tone: 'same' },
  pending: { glyph: '⏳', symbol: '?', word: 'pending', tone: 'open' },
  todo: { glyph: '✋', symbol: '?', word: 'to do by a person', tone: 'open' },
  run: { glyph: '▶️', symbol: '+', word: 'run', tone: 'done' },
  blocked: { glyph: '⛔', symbol: '!', word: 'blocked', tone: 'bad' },
  error: { glyph: '❌', symbol: '!', word: 'error', tone: 'bad' },
  applied: { glyph: '✅', symbol: '+', word: 'applied', tone: 'done' },
  waiting: { glyph: '⏳', symbol: '?', word: 'waiting', tone: 'open' },
  failed: { glyph: '❌', symbol: '!', word: 'failed', tone: 'bad' },
  rolled_back: { glyph: '↩️', symbol: '-', word: 'rolled back', tone: 'done' },
  rollback_failed: { glyph: '❌', symbol: '!', word: 'rollback failed', tone: 'bad' },
  skipped: { glyph: '⏭️', symbol: '?', word: 'skipped', tone: 'open' },
  destroyed: { glyph: '🗑️', symbol: '-', word: 'removed', tone: 'done' },
  destroy_failed: { glyph: '❌', symbol: '!', word: 'removal failed', tone: 'bad' },
};

/** Whether a removal took anything of the line away, rather than only letting go of it. */
export const isTaken = ({ status, notes }: LineReport): boolean => status === 'destroyed' && notes?.['destroyed'] !== undefined;

/** What a plan says that a line would do. */
const would: ReadonlySet<LineStatus> = new Set(['create', 'update', 'delete', 'adopt', 'run', 'todo']);

/** Statuses of a run that is over without having done what it planned. */
const cameToNothing: ReadonlySet<RunStatus> = new Set(['failed', 'rejected', 'expired', 'cancelled', 'superseded', 'stale', 'fenced-out']);

/**
 * How a line is shown. One that was let go of, with nothing of it deleted, is not said to be removed; one that an earlier round of the run wrote
 * is not said to be unchanged; and what a run that is over only planned is not said to be done.
 *
 * @param run the line's.
 */
export function wordsOf(line: LineReport, run?: Pick<RunReport, 'kind' | 'status'>): StatusWords {
  const words = statusWords[line.status];
  if (line.status === 'destroyed' && !isTaken(line)) return { ...words, glyph: '▫️', word: 'forgotten' };
  if (line.status === 'unchanged' && line.earlier) return { ...statusWords.applied, word: 'applied before' };
  if (run && run.kind !== 'plan' && cameToNothing.has(run.status) && would.has(line.status))
    return { glyph: '▫️', symbol: '=', word: `not done (${words.word})`, tone: 'same' };
  return words;
}

/** Whether a line would delete a resource and make it anew. */
export const isReplaced = ({ changes }: Pick<LineReport, 'changes'>): boolean => changes.some(({ replaces }) => replaces === true);

/** What is done to one resource. */
export const changeWord = ({ kind, adopts, as }: Pick<ShownChange, 'kind' | 'adopts' | 'as'>): string => (adopts ? 'adopt' : as ? stateWords[as] : kind);

/** What becomes of a resource in the state of a stack's tool: nothing of the resource itself. */
export const stateWords: Readonly<Record<NonNullable<ShownChange['as']>, string>> = {
  import: 'import',
  forget: 'forget, and leave in place,',
  move: 'move',
};

/** What each kind of drift means, in the words of the reader. */
export const driftWords: Readonly<Record<DriftKind, string>> = {
  unmanaged: 'not managed here',
  changed: 'edited outside',
  missing: 'gone',
  orphan: 'no line wants it any more',
};

/** The message of a drift item that names its resource says all of it, but the line, without its full stop; undefined: there is more to say. */
export function wholeMessage({ resource, message }: DriftItem): string | undefined {
  return message.includes(resource.label ?? resource.key) ? message.replace(/\.$/, '') : undefined;
}

/** A message with its full stop. */
export const sentence = (message: string): string => (/[.!?…:]$/.test(message) ? message : `${message}.`);

/** `2 lines`, `1 line`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** What to type to take away what a run created. */
export const undoOf = ({ run }: Pick<RunReport, 'run'>): string => `lockkeeper undo ${run.slice(0, 12)}`;
