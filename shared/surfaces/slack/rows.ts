import type { ShownChange } from '../../engine/op.ts';
import type { LineReport, RunReport } from '../../run/report.ts';
import { sideWords } from '../side.ts';
import { code, mrkdwn } from './mrkdwn.ts';

/** What is done to one resource, the most dangerous first: that is the order in which a reader sees them. */
const deeds = ['delete', 'replace', 'adopt', 'update', 'create', 'run', 'todo'] as const;
export type Deed = (typeof deeds)[number];

const glyphs: Readonly<Record<Deed, string>> = { delete: '🗑️', replace: '♻️', adopt: '🫱', update: '✏️', create: '➕', run: '▶️', todo: '✋' };
const words: Readonly<Record<Deed, string>> = {
  delete: 'delete',
  replace: 'delete and create',
  adopt: 'take over',
  update: 'update',
  create: 'create',
  run: 'run',
  todo: 'by hand',
};

/** One thing that a plan would do. */
export interface PlannedDeed {
  readonly deed: Deed;
  readonly line: string;
  readonly label: string;
  readonly fields: ShownChange['fields'];
}

/** Everything a plan would do, the most dangerous first. */
export function plannedDeeds(report: RunReport): PlannedDeed[] {
  const found = report.lines.flatMap((line) => deedsOf(line));
  return found.toSorted((one, other) => deeds.indexOf(one.deed) - deeds.indexOf(other.deed));
}

function deedsOf(line: LineReport): PlannedDeed[] {
  if (line.status === 'todo' || line.status === 'run')
    return [{ deed: line.status, line: line.id, label: line.manual?.title ?? `${line.adapter}.${line.op}`, fields: [] }];
  const changes = line.changes.filter(({ kind }) => kind !== 'unchanged');
  return changes.map((change) => ({ deed: deedOf(change), line: line.id, label: change.label, fields: change.fields }));
}

function deedOf({ kind, replaces, adopts }: ShownChange): Deed {
  if (kind === 'delete') return 'delete';
  if (replaces) return 'replace';
  if (adopts) return 'adopt';
  return kind === 'create' ? 'create' : 'update';
}

/** `*delete 1*, *delete and create 2*, update 3`: whatever cannot be taken back stands out. */
export function countsOf(planned: readonly PlannedDeed[]): string {
  const parts = deeds.flatMap((deed) => {
    const n = planned.filter((one) => one.deed === deed).length;
    return n === 0 ? [] : [isDestructive(deed) ? `*${words[deed]} ${n}*` : `${words[deed]} ${n}`];
  });
  return parts.join(', ') || 'nothing';
}

export const isDestructive = (deed: Deed): boolean => deed === 'delete' || deed === 'replace';

/** So long may a row become with its values, as it is sent; what does not fit is counted. */
const longestRow = 700;

/** One row: what is done to which resource of which line, with old and new values where they may be seen. */
export function row({ deed, line, label, fields }: PlannedDeed): string {
  let text = `${glyphs[deed]} ${isDestructive(deed) ? `*${words[deed]}*` : words[deed]} ${code(label)} (line ${code(line, 40)})`;
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
