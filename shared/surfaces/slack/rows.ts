import { type Deed, deedCounts, isDestructive, type PlannedDeed } from '../deeds.ts';
import { sideWords } from '../side.ts';
import { code, mrkdwn } from './mrkdwn.ts';

const glyphs: Readonly<Record<Deed, string>> = {
  delete: '🗑️',
  replace: '♻️',
  forget: '📤',
  adopt: '🫱',
  import: '📥',
  update: '✏️',
  move: '↔️',
  create: '➕',
  run: '▶️',
  todo: '✋',
};
const words: Readonly<Record<Deed, string>> = {
  delete: 'delete',
  replace: 'delete and create',
  forget: 'forget, and leave in place,',
  adopt: 'take over',
  import: 'import',
  update: 'update',
  move: 'move',
  create: 'create',
  run: 'run',
  todo: 'by hand',
};

/** `*delete 1*, *delete and create 2*, update 3`: whatever cannot be taken back stands out. */
export function countsOf(planned: readonly PlannedDeed[]): string {
  const parts = deedCounts(planned).map(([deed, n]) => (isDestructive(deed) ? `*${words[deed]} ${n}*` : `${words[deed]} ${n}`));
  return parts.join(', ') || 'nothing';
}

/** Rows that a card shows; the check run shows every one. */
export const mostRows = 10;

/** So long may a row become with its values, as it is sent; what does not fit is counted. */
const longestRow = 700;

/**
 * One row each: what is done to which resource, with old and new values where they may be seen. Its line is named where the name alone could
 * be that of another one, or says little.
 *
 * @param start of every row, in the place of a glyph for what is done.
 */
export function rowsOf(planned: readonly PlannedDeed[], start?: string): string[] {
  const times = new Map<string, number>();
  for (const { label } of planned) times.set(label, (times.get(label) ?? 0) + 1);
  return planned.map((one) => row(one, start ?? glyphs[one.deed], one.deed === 'run' || (times.get(one.label) ?? 0) > 1));
}

function row({ deed, line, label, fields }: PlannedDeed, start: string, withLine: boolean): string {
  let text = `${start} ${isDestructive(deed) ? `*${words[deed]}*` : words[deed]} ${code(label, 100)}${withLine ? ` (line ${code(line, 40)})` : ''}`;
  let shown = 0;
  for (const { path, before, after } of fields) {
    const value = `\n      ${code(path, 50)}: ${side(before)} → ${side(after)}`;
    if (shown === 3 || text.length + value.length > longestRow) break;
    text += value;
    shown += 1;
  }
  return shown === fields.length ? text : `${text}\n      and ${fields.length - shown} more`;
}

/** A literal as code; a mark in italics, so that a literal spelled like one is not taken for it. */
function side(value: Parameters<typeof sideWords>[0]): string {
  const said = sideWords(value);
  return 'literal' in said ? code(said.literal, 50) : `_${mrkdwn(said.mark, 60)}_`;
}
