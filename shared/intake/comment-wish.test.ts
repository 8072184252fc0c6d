import { describe, expect, test } from 'vitest';
import type { WishIn } from '../../events/wish-in.ts';
import { answer, askedRun, principalOf, putPolicy, throughAws } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from '../run/items.ts';

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

async function wish(bench: Workbench, wished: WishIn, written?: { login: string; body: string }): Promise<void> {
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
