import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { playCase } from '../../crash/cases/case.ts';
import { cases } from '../../crash/cases/cases.ts';
import { occurrences } from '../edited.ts';
import { further } from './further.ts';
import { protocolMutants } from './protocol.ts';

const all = [...protocolMutants, ...further];

/** The protocol's own list. */
const listed = [
  ...['seal off', 'seal skipped after a crash', 'grant bumps its own fence', 'released counts as free', 'insert ignores the deadline'],
  ...['phase items put by a late step', 'intent dropped by a late attempt', 'hand-over after the deadline', 'ledger read before lease when stealing'],
  ...['re-claim without a fresh writeId', 'claim removed before the entry', 'claim removed by owner instead of writeId', 'copy without its claim destroyed'],
  ...['claim swapped before the copy', 'found without our mark is ours', 'previous value captured after the write', 'previous receipt taken from the head'],
  ...['notes written with the head', 'external job not stopped at a takeover'],
  ...['until ignored', 'result not on attempt', 'attempt restarts with the phase', 'control step unclaimed', 'tail not repeated', 'set removal that upserts'],
  ...['phase swap before the items', 'round missing in the key', 'phase missing in message or state', 'control message dropped by round'],
  ...['duplicate acknowledged under a live claim', 'state of a dependency not looked at', 'rollback reads stopping', 'rollback of one round only'],
  ...['dead letter of a control step settles', 'event judged instead of the world', 'try-then-register for waiters', 'parent lock held by the run'],
  ...['decisions looked at before the token is stored', 'older token stored over a newer one', 'parked step ignores stopping'],
  ...['decision keyed by digest and person only', 'decision keyed by run only', 'question and round one number', 'Replan adds a round'],
  ...['stop cleared with the round', 'stale entry under a fresh id', 'stale entry not looked at', 'guard skips the state digest'],
  ...['stale wins over a failed line', 'effects equal instead of among', 'ledger read last', 'redactor off'],
];

test('every mutant of the protocol’s list is there, once, in its order', () => {
  expect(protocolMutants.map(({ name }) => name)).toEqual(listed);
});

test.each(all.flatMap(({ name, edits }) => edits.map((edit) => [name, edit.file, edit] as const)))(
  '%s: its anchor stands exactly once in %s',
  (_name, file, edit) => {
    expect(occurrences(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'), edit)).toBe(1);
  },
);

test.each(cases.map((one) => [one.name, one] as const))('without a mutant nothing is broken where %s', async (_name, one) => {
  expect(await playCase(one)).toEqual([]);
});

let found: Record<string, readonly string[]>;
beforeAll(async () => {
  const program = new URL('./run.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program], { maxBuffer: 2 ** 26 });
  found = JSON.parse(stdout) as typeof found;
}, 180_000);

/** What shows it, in words; one that a test of its own shows is not played here. */
function shownBy({ caught }: (typeof all)[number]): readonly string[] {
  if ('test' in caught) return [];
  return ['case' in caught ? caught.case : `the story ${caught.story} is told`];
}

test.each(all.flatMap((mutant) => shownBy(mutant).map((where) => [mutant.name, mutant.breaks, where] as const)))('%s breaks %s where %s', (name, breaks) => {
  expect(found[name]?.filter((sentence) => sentence.startsWith(`${breaks}: `))).not.toEqual([]);
});
