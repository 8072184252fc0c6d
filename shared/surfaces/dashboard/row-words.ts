import { type DriftedResource, type Row, stateOf } from '../../dashboard/row.ts';
import { typedWord } from '../../engine/ways-on.ts';
import { code } from '../escape.ts';
import { count, utc } from '../words.ts';
import type { TypedAt } from './facts.ts';

/** Plan and environment, as a row is called; of a stack, its line first. */
export const rowName = ({ plan, environment, line }: Pick<Row, 'plan' | 'environment' | 'line'>): string =>
  `${line === undefined ? '' : `stack ${code(line)} of `}${code(plan)} in ${code(environment)}`;

/** A commit as it is read, and a link to it beside the issue. */
export const commitLink = (commit: string): string =>
  /^[0-9a-f]{40,64}$/.test(commit) ? `[${code(commit.slice(0, 7))}](../commit/${commit})` : code(commit.slice(0, 12));

export const runName = (run: string): string => code(run.slice(0, 12));

export const driftedWords: Readonly<Record<DriftedResource['kind'], string>> = {
  changed: 'edited outside',
  gone: 'gone',
  replaced: 'made again outside',
};

const pendingWords = [
  ['create', (n: number) => `${n} to create`],
  ['update', (n: number) => `${n} to update`],
  ['adopt', (n: number) => `${n} to adopt`],
  ['replace', (n: number) => `**${n} to replace**`],
  ['delete', (n: number) => `**${n} to delete**`],
  ['run', (n: number) => `${count(n, 'request')} to send`],
  ['todo', (n: number) => `${n} to do by a person`],
] as const;

/** What is pending, counted. */
export const pendingText = (counts: NonNullable<Row['pending']>['counts']): string =>
  pendingWords.flatMap(([kind, words]) => (counts[kind] ? [words(counts[kind])] : [])).join(', ') || 'something that was not counted';

/** What drifted, counted. */
export const driftText = ({ changed = 0, gone = 0, replaced = 0 }: NonNullable<Row['drift']>['counts']): string =>
  [changed > 0 && `${changed} edited outside`, gone > 0 && `${gone} gone`, replaced > 0 && `${replaced} made again outside`]
    .filter((text) => text !== false)
    .join(', ');

/** What drifted beside what is pending: of the changes themselves, and of the rest, which has a box of its own. */
export function alsoText({ pending, drift }: Pick<Row, 'pending' | 'drift'>): string {
  const both = (pending?.changes ?? []).filter(({ drifted }) => drifted !== undefined).length;
  return `${both === 0 ? '' : `, ${both} of it drifted as well`}${drift ? `, and drifted: ${driftText(drift.counts)}` : ''}`;
}

/** The flag that has a command speak of the stack, as whoever reads the page is in no folder of its. */
export const inStack = ({ stack }: TypedAt): string => (stack === undefined ? '' : ` --stack ${typedWord(stack)}`);

/** What a row says under its name whatever its state: a last run that ended badly, a check that fails. */
export function notesOf(row: Row, at: TypedAt): string[] {
  const { environment, lastFailed, check, drift, pending, orphans, repaired, applied } = row;
  const state = stateOf(row);
  const notes: string[] = [];
  if (row.unsure && (state === 'pending' || state === 'drift'))
    notes.push('❔ Nobody has looked at all of it since its last run: there may be more than stands here. The box at the top has everything looked at again.');
  if (repaired && !(applied && applied.at > repaired.at))
    notes.push(`🔧 Run ${runName(repaired.run)} repaired what was ticked on ${utc(repaired.at)}${byText(repaired.by)}.`);
  if (lastFailed) {
    const why = lastFailed.code === undefined ? '' : ` with ${code(lastFailed.code)}`;
    notes.push(
      `❌ Its last run, ${runName(lastFailed.run)}, ended ${code(lastFailed.status)}${why} on ${utc(lastFailed.at)}: ${code(`lockkeeper receipt ${lastFailed.run.slice(0, 12)}${inStack(at)}`)}`,
    );
  }
  if (check) {
    const times = check.times === 1 ? 'The last check for drift failed' : `The last ${check.times} checks for drift failed, since ${utc(check.since)},`;
    notes.push(`⚠️ ${times} with ${code(check.code)}${drift || pending ? ': what is shown is older' : ': nobody knows of any drift'}.`);
  }
  if (orphans !== undefined) {
    const are = orphans === 1 ? 'is' : 'are';
    notes.push(
      `🧹 ${count(orphans, 'resource')} of lines that the plan does not have any more ${are} left: ${code(`lockkeeper prune --env ${typedWord(environment)} --branch ${typedWord(at.branch)}${inStack(at)}`)} shows ${orphans === 1 ? 'it' : 'them'}.`,
    );
  }
  return notes;
}

/** Who did something, where somebody is known. */
export const byText = (by: string | undefined): string => (by === undefined ? '' : ` by ${code(by)}`);
