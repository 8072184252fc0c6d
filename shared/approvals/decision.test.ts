import { expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { memoryTable } from '../../test/ports/memory-table.ts';
import { decisionKey } from '../table/keys.ts';
import { type Decision, decide, freeAnswers, makeSureOf, noteIgnored, readDecisions, withdraw } from './decision.ts';

const question = { digest: 'd'.repeat(64), run: 'run', q: 1 };
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const by = (name: string, verdict: Decision['verdict'], second = 0): Decision => ({ verdict, person: { name, through: 'machine' }, at: at(second) });

function opened() {
  const memory = memoryTable();
  return { memory, writer: { table: memory.table, ids: countingIds() } };
}

const said = async (table: ReturnType<typeof opened>['memory']['table']) =>
  (await readDecisions(table, question)).map(({ verdict, person, at }) => [person.name, verdict, at]);

test('a person answers a question once: the same again changes nothing, and one who rejected approves no more', async () => {
  const { memory, writer } = opened();
  await decide(writer, question, by('kim', 'approve', 1));
  expect(await decide(writer, question, by('kim', 'approve', 2))).toMatchObject({ verdict: 'approve', at: at(1) });
  await decide(writer, question, by('mona', 'reject', 1));
  expect(await decide(writer, question, by('mona', 'approve', 2))).toMatchObject({ verdict: 'reject', at: at(1) });
  expect(await said(memory.table)).toEqual([
    ['kim', 'approve', at(1)],
    ['mona', 'reject', at(1)],
  ]);
});

test('one person is one, whatever they answer through: the newer way in stands, and a rejection ends it', async () => {
  const { memory, writer } = opened();
  const through = (way: 'aws' | 'github', verdict: Decision['verdict'], second: number, name = 'kim'): Decision => ({
    verdict,
    person: { name, through: way, ...(way === 'aws' ? { principal: 'arn:aws:iam::111122223333:user/kim' } : {}) },
    at: at(second),
  });
  await decide(writer, question, through('aws', 'approve', 1));
  await noteIgnored(writer, question, through('aws', 'approve', 1), 'mapped to nobody');
  expect(await decide(writer, question, through('github', 'approve', 2, 'Kim'))).toMatchObject({ person: { through: 'github' }, at: at(2) });
  expect(await readDecisions(memory.table, question)).toEqual([through('github', 'approve', 2, 'Kim')]);
  await decide(writer, question, through('aws', 'reject', 3));
  expect(await decide(writer, question, through('github', 'approve', 4))).toMatchObject({ verdict: 'reject', at: at(3) });
  expect(await said(memory.table)).toEqual([['kim', 'reject', at(3)]]);
});

test('an approval under a principal of nobody’s does not stand in the way of the person’s own', async () => {
  const { memory, writer } = opened();
  const under = (user: string, second: number): Decision => ({
    verdict: 'approve',
    person: { name: 'kim', through: 'aws', principal: `arn:aws:iam::111122223333:user/${user}` },
    at: at(second),
  });
  await decide(writer, question, under('stranger', 1));
  await noteIgnored(writer, question, under('stranger', 1), 'mapped to nobody');
  expect(await decide(writer, question, under('kim', 2))).toEqual(under('kim', 2));
  expect(await readDecisions(memory.table, question)).toEqual([under('kim', 2)]);
});

test.each(['approve', 'reject'] as const)(
  'a rejection under a principal of nobody’s, once it is judged, does not stand in the way of the person’s own (%s)',
  async (verdict) => {
    const { memory, writer } = opened();
    const under = (user: string, says: Decision['verdict'], second: number): Decision => ({
      verdict: says,
      person: { name: 'kim', through: 'aws', principal: `arn:aws:iam::111122223333:user/${user}` },
      at: at(second),
    });
    await decide(writer, question, under('stranger', 'reject', 1));
    expect(await decide(writer, question, under('kim', verdict, 2))).toMatchObject(under('stranger', 'reject', 1));
    await noteIgnored(writer, question, under('stranger', 'reject', 1), 'mapped to nobody');
    expect(await decide(writer, question, under('kim', verdict, 3))).toEqual(under('kim', verdict, 3));
    expect(await readDecisions(memory.table, question)).toEqual([under('kim', verdict, 3)]);
  },
);

test.each([
  ['approve', 1, 'withdrawn'],
  ['approve', 2, 'later'],
  ['approve', 3, 'later'],
  ['reject', 3, 'withdrawn'],
  ['reject', 4, 'later'],
] as const)('%s at second %i: a word that is told late takes back what was given before it, and nothing newer (%s)', async (verdict, second, became) => {
  const { memory, writer } = opened();
  const given = by('kim', verdict, second);
  await decide(writer, question, given);
  expect(await withdraw(writer, question, given.person, at(9), { approve: at(2), reject: at(4) })).toBe(became);
  expect(await readDecisions(memory.table, question)).toEqual(became === 'later' ? [given] : []);
});

test('an approval can be taken back (P7)', async () => {
  const { memory, writer } = opened();
  await decide(writer, question, by('kim', 'approve', 1));
  expect(await decide(writer, question, by('kim', 'reject', 2))).toMatchObject({ verdict: 'reject' });
  expect(await said(memory.table)).toEqual([['kim', 'reject', at(2)]]);
});

test.each(['done', 'never'] as const)('an answer that is lost is written once (%s)', async (effect) => {
  const { memory, writer } = opened();
  memory.faults.loseAnswer((call) => call.op === 'write', effect);
  expect(await decide(writer, question, by('kim', 'approve', 1))).toMatchObject({ verdict: 'approve' });
  memory.faults.loseAnswer((call) => call.op === 'write' && 'set' in (call.change ?? {}), effect);
  expect(await decide(writer, question, by('kim', 'reject', 2))).toMatchObject({ verdict: 'reject', at: at(2) });
  expect(await said(memory.table)).toEqual([['kim', 'reject', at(2)]]);
});

test.each([
  ['digest', { ...question, digest: 'e'.repeat(64) }],
  ['run', { ...question, run: 'other' }],
  ['number of the question', { ...question, q: 2 }],
])('a decision belongs to one question: another %s has none', async (_, other) => {
  const { memory, writer } = opened();
  await decide(writer, question, by('kim', 'approve'));
  expect(await readDecisions(memory.table, other)).toEqual([]);
});

test.each([
  ['a word that is no verdict', { verdict: 'maybe', person: { name: 'kim', through: 'machine' }, at: at(1) }],
  ['nobody', { verdict: 'approve', at: at(1) }],
  ['another way in', { verdict: 'approve', person: { name: 'kim', through: 'telepathy' }, at: at(1) }],
])('what somebody wrote there that is no decision is left out: %s', async (_, item) => {
  const { memory, writer } = opened();
  const key = decisionKey(question.digest, question.run, question.q, 'machine:forged');
  await memory.table.write(key, { put: { format: 1, ...item } }, { is: 'always' });
  await decide(writer, question, by('kim', 'approve'));
  expect((await readDecisions(memory.table, question)).map(({ person }) => person.name)).toEqual(['kim']);
});

test('a decision of a newer format stops whoever cannot read it: it may be a rejection', async () => {
  const { memory } = opened();
  const key = decisionKey(question.digest, question.run, question.q, 'slack:mona');
  await memory.table.write(key, { put: { format: 4, no: true } }, { is: 'always' });
  await expect(readDecisions(memory.table, question)).rejects.toMatchObject({ code: 'RECEIPT_VERSION' });
});

test('why a decision does not count is news once', async () => {
  const { memory, writer } = opened();
  await decide(writer, question, by('kim', 'approve'));
  const [decision] = (await readDecisions(memory.table, question)) as [Decision];
  expect(await noteIgnored(writer, question, decision, 'because')).toBe(true);
  const [noted] = (await readDecisions(memory.table, question)) as [Decision];
  expect(noted.ignored).toBe('because');
  expect(await noteIgnored(writer, question, noted, 'because')).toBe(false);
  expect(await noteIgnored(writer, question, noted, 'for another reason')).toBe(true);
});

test('why an answer does not count is not noted beside the one that took its place', async () => {
  const { memory, writer } = opened();
  await decide(writer, question, by('kim', 'approve', 1));
  const [judged] = (await readDecisions(memory.table, question)) as [Decision];
  await decide(writer, question, by('kim', 'reject', 2));
  expect(await noteIgnored(writer, question, judged, 'because')).toBe(false);
  expect((await readDecisions(memory.table, question))[0]?.ignored).toBeUndefined();
});

test('what a later step is sure of is not freed by an earlier one (P7)', async () => {
  const { memory, writer } = opened();
  const mine = by('kim', 'approve', 1);
  await decide(writer, question, mine);
  expect(await makeSureOf(writer, question, await readDecisions(memory.table, question), 7)).toBe(true);
  for (const attempt of [6, 7]) await freeAnswers(writer, question, attempt);
  expect(await withdraw(writer, question, mine.person, at(2))).toBe('honoured');
  await freeAnswers(writer, question, 8);
  expect(await withdraw(writer, question, mine.person, at(2))).toBe('withdrawn');
});
