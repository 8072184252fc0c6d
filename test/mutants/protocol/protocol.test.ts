import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { playCase } from '../../crash/cases/case.ts';
import { cases } from '../../crash/cases/cases.ts';
import { tellNamed } from '../../crash/enumerate.ts';
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
}, 600_000);

/** How a story is told for a mutant, in words. */
const telling = ({ story, at, nth = 0, fault }: Told): string => `the story ${story} is told${at === undefined ? '' : `, ${fault} at call ${nth} of ${at}`}`;

type Told = Extract<(typeof all)[number]['caught'], { readonly story: string }>;
const told = [...new Map(all.flatMap(({ caught }) => ('story' in caught ? [[telling(caught), caught] as const] : []))).entries()];

test.each(told)('without a mutant nothing is broken where %s', async (_where, { story, at, fault, nth }) => {
  expect((await tellNamed(story, at, fault, nth)).broken).toEqual([]);
});

const shown = all.flatMap(({ name, breaks, caught }) =>
  'test' in caught ? [] : [[name, breaks, 'case' in caught ? caught.case : telling(caught), caught.says] as const],
);

test.each(shown)('%s breaks %s where %s', (name, breaks, _where, says) => {
  const sentences = found[name] ?? [];
  expect(sentences.filter((sentence) => sentence.startsWith(`${breaks}: `) && says.test(sentence))).not.toEqual([]);
  // A mutant that falls over its own edit shows nothing. That a case finds nobody where its script has them is another matter.
  expect(sentences.filter((sentence) => /^thrown: (a job failed|\w+Error:)/.test(sentence))).toEqual([]);
});

test.each(all.flatMap(({ name, breaks, caught }) => ('test' in caught ? [[name, caught.test.title, breaks, caught.names] as const] : [])))(
  '%s: what “%s” shows is named %s there',
  (_name, _title, breaks, names) => {
    expect(names).toMatch(new RegExp(`\\b${breaks}\\b`));
  },
);
