import { describe, expect, test } from 'vitest';
import type { WishIn } from '../../events/wish-in.ts';
import { answer, askedRun, principalOf, putPolicy, throughAws } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { answerQuestion } from '../run/answer-question.ts';
import type { Run } from '../run/items.ts';
import { givenBefore } from '../run/withdraw-answer.ts';

/** A run for production that two must approve, and that ada has. */
async function half(): Promise<{ bench: Workbench; run: Run; decision: () => Record<string, unknown> | undefined }> {
  const bench = openWorkbench('deployed');
  const approvers = ['ada', 'kim'].map((github) => ({ github, aws: principalOf(github) }));
  putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { required: 2, approvers } } }));
  for (const login of ['ada', 'kim']) bench.code.people.set(login, 'write');
  const run = await askedRun(bench, [{ id: 'a', things: { x: '1' } }]);
  expect(await answer(bench, run, 'approve', throughAws('ada'))).toMatchObject({ phase: 'awaiting' });
  return { bench, run, decision: () => bench.memory.items().find(({ sk }) => sk.startsWith('DECISION#')) };
}

async function wish(bench: Workbench, wished: WishIn, written?: { login: string; body: string; at?: string }): Promise<void> {
  bench.code.written.set(1, written ?? { login: 'ada', body: `/lockkeeper ${wished.verb} ${wished.of}\nwhatever` });
  const sender = { login: 'ada', type: 'User' };
  await bench.happens({ format: 5, event: 'issue_comment', action: 'created', repository, sender, comment: { pullRequest: 7, id: 1, wished } });
  await bench.quiet();
}

describe.each(['withdraw', 'cancel'] as const)('%s in a comment (P6)', (verb) => {
  const of = ({ id, question }: Run): WishIn => ({ verb, of: (verb === 'withdraw' ? question?.digest : id)?.slice(0, 12) as string });
  const stands = async (bench: Workbench, run: Run, decision: Record<string, unknown> | undefined) => [(await bench.run(run.id)).phase, decision];

  test('is done in the name of whoever wrote it', async () => {
    const { bench, run, decision } = await half();
    const before = await stands(bench, run, decision());
    await wish(bench, of(run));
    expect(await stands(bench, run, decision())).not.toEqual(before);
  });

  test.each([
    ['somebody else wrote', { login: 'eve', body: '/lockkeeper $verb $of' }],
    ['says something else by now', { login: 'ada', body: 'never mind' }],
    ['means something else by now', { login: 'ada', body: '/lockkeeper $verb ffffffffffff' }],
  ])('that %s does nothing: the host tells who wrote what', async (_, { login, body }) => {
    const { bench, run, decision } = await half();
    const before = await stands(bench, run, decision());
    await wish(bench, of(run), { login, body: body.replace('$verb', verb).replace('$of', of(run).of) });
    expect(await stands(bench, run, decision())).toEqual(before);
    expect([...bench.code.comments].filter(([key]) => key.includes('answer to'))).toEqual([]);
  });
});

describe('a comment that takes an answer back, told late', () => {
  const seconds = (bench: Workbench, count: number) => new Date(Math.floor(bench.clock.now() / 1000 + count) * 1000).toISOString();
  const withdraw = ({ question }: Run): WishIn => ({ verb: 'withdraw', of: question?.digest.slice(0, 12) as string });
  const told = (bench: Workbench) => [...bench.code.comments].filter(([key]) => key.includes('answer to')).map(([, body]) => body);

  test('does not take back what its author has answered since, and says so (P7)', async () => {
    const { bench, run, decision } = await half();
    bench.clock.advance(60_000);
    const written = seconds(bench, 0);
    await wish(bench, withdraw(run));
    expect(decision()).toHaveProperty('withdrawn');
    bench.clock.advance(3_600_000);
    await answer(bench, run, 'approve', throughAws('ada'));
    await wish(bench, withdraw(run), { login: 'ada', body: `/lockkeeper withdraw ${withdraw(run).of}`, at: written });
    expect(decision()).not.toHaveProperty('withdrawn');
    expect(told(bench)).toEqual([expect.stringMatching(/TOO_LATE.*given after/s)]);
  });

  test('leaves what its author answers after it, though that is told later still (P7)', async () => {
    const { bench, run, decision } = await half();
    bench.clock.advance(60_000);
    const written = seconds(bench, 0);
    bench.clock.advance(60_000);
    const given = new Date(bench.clock.now()).toISOString();
    bench.clock.advance(3_600_000);
    await wish(bench, withdraw(run), { login: 'ada', body: `/lockkeeper withdraw ${withdraw(run).of}`, at: written });
    expect(decision()).toHaveProperty('withdrawn');
    const person = throughAws('ada');
    await answerQuestion(bench.world(), run, run.question as NonNullable<Run['question']>, { verdict: 'approve', person, told: 'a message', at: given });
    expect(decision()).toMatchObject({ verdict: 'approve', at: given });
    expect(decision()).not.toHaveProperty('withdrawn');
  });

  test('takes back an approval of its own second, which the host does not tell apart (P7)', async () => {
    const { bench, run, decision } = await half();
    const written = new Date(Date.parse(String(decision()?.['at'])) - 999).toISOString();
    await wish(bench, withdraw(run), { login: 'ada', body: `/lockkeeper withdraw ${withdraw(run).of}`, at: written });
    expect(decision()).toHaveProperty('withdrawn');
    expect(told(bench)).toEqual([]);
  });

  test('errs on the side on which nothing is applied, where its clock and ours are thirty seconds apart', () => {
    const at = '2026-01-01T00:01:00.000Z';
    expect(givenBefore(Date.parse(at), { skew: 30_000 })).toEqual({ approve: '2026-01-01T00:01:31.000Z', reject: '2026-01-01T00:00:30.000Z' });
  });
});
