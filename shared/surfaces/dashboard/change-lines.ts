import { type DriftedResource, destroys, type PendingChange, type Row } from '../../dashboard/row.ts';
import { code, prose } from '../escape.ts';
import { sideWords } from '../side.ts';
import { changeWord, utc } from '../words.ts';
import { driftedWords, runName } from './row-words.ts';

/** A delete or replacement, with every path it is for: these lines are shown all or none. */
export const destructiveLine = (one: PendingChange): string =>
  `* ⚠️ **${one.change.replaces ? 'REPLACE' : 'DELETE'}** ${code(one.change.label)}, line ${code(one.line)}${one.change.replaces ? `: ${fields(one).join(', ')}` : ''}\n`;

export const changeLine = (one: PendingChange): string => {
  const since = one.firstSeen === undefined ? '' : ` (seen since ${utc(one.firstSeen)})`;
  const also = one.drifted === undefined ? '' : `, ${driftedWords[one.drifted]} as well${since}`;
  const listed = fields(one);
  return `- ${changeWord(one.change)} ${code(one.change.label)}, line ${code(one.line)}${also}${listed.length === 0 ? '' : `: ${listed.join(', ')}`}\n`;
};

/** At most ten attributes of a resource: a reader wants to know what it is about. */
const most = 10;
const capped = (texts: readonly string[]): string[] => (texts.length <= most ? [...texts] : [...texts.slice(0, most), `and ${texts.length - most} more`]);

const fields = ({ change }: PendingChange): string[] =>
  capped(change.fields.map(({ path, before, after }) => `${code(path, 80)}${change.kind === 'create' ? '' : ` ${side(before)} → ${side(after)}`}`));

/** A value in clear only where it is a literal of the plan; anything else by where it comes from. */
function side(one: Parameters<typeof sideWords>[0]): string {
  const words = sideWords(one);
  return 'literal' in words ? code(words.literal, 40) : `*${prose(words.mark, 80)}*`;
}

export function driftLine({ line, label, kind, fields: paths, firstSeen, lastClean, lastRun }: DriftedResource): string {
  const listed = capped(
    paths.map(({ path, before, after }) =>
      before === undefined && after === undefined ? code(path, 80) : `${code(path, 80)} ${value(before)} → ${kind === 'gone' ? '*nothing*' : value(after)}`,
    ),
  );
  const told = [
    firstSeen === undefined ? '' : `seen since ${utc(firstSeen)}`,
    lastClean === undefined ? '' : `as it should be on ${utc(lastClean)}`,
    lastRun === undefined ? '' : `last written by run ${runName(lastRun)}`,
  ].filter((text) => text !== '');
  return `- ${driftedWords[kind]}: ${code(label)}, line ${code(line)}${listed.length === 0 ? '' : `: ${listed.join(', ')}`}${told.length === 0 ? '' : ` (${told.join('; ')})`}\n`;
}

const value = (text: string | undefined): string => (text === undefined ? '*(not shown)*' : code(text, 40));

/**
 * The changes of a row as lines. `destructive` is all of them or, where the row itself had no room for them all, what is said instead: they stand
 * first in it, so that nothing else is listed then.
 */
export const pendingLines = ({ pending }: Row): { readonly destructive: string; readonly others: readonly string[] } => {
  const changes = pending?.changes ?? [];
  const taken = changes.filter(destroys);
  const isCut = pending?.more === true && taken.length > 0 && taken.length === changes.length;
  return { destructive: isCut ? unlisted : taken.map(destructiveLine).join(''), others: changes.filter((one) => !destroys(one)).map(changeLine) };
};

/** Instead of lines that found no room. */
export const unlisted = '* ⚠️ What would be deleted or replaced found no room here.\n';
