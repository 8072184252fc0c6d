import { expect, it } from 'vitest';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { canonicalJson } from '../approvals/canonical-json.ts';
import { type PlanDocument, planDigest, planKey } from '../approvals/plan-document.ts';
import { openQuestion } from '../approvals/question.ts';
import { questionKey, runKey } from '../table/keys.ts';
import { findPlan } from './find-plan.ts';
import type { Run } from './items.ts';

type Asking = Run & { readonly question: NonNullable<Run['question']> };

/** A run for production that asks. */
async function asking(bench: Workbench, commit = 'one', scope = 'main'): Promise<Asking> {
  bench.pull(7, commit, [{ id: 'a', things: { [`x-${commit}`]: '1' } }]);
  const id = await bench.command({ commit, environment: 'production', scope });
  await bench.quiet();
  return (await bench.run(id)) as Asking;
}

const code = (name: string) => ({ problem: { code: name } });

it('a plan is found by its digest or twelve digits of it, with who asked about it and what was shown', async () => {
  const bench = openWorkbench();
  const { id, question } = await asking(bench);
  for (const wanted of [question.digest, question.digest.slice(0, 12).toUpperCase()]) {
    const found = await findPlan(bench.world(), repository.id, wanted);
    expect(found).toMatchObject({ digest: question.digest, document: { scope: 'main' }, questions: [{ run: id, q: 1, state: 'open' }] });
    expect(found.shown?.lines).toMatchObject([{ id: 'a', changes: [{ fields: [{ path: 'value', after: { state: 'literal', value: '1' } }] }] }]);
  }
});

it('one whose question is over is found by its run, and shown as it was asked', async () => {
  const bench = openWorkbench();
  const { question } = await asking(bench);
  await bench.sweep(25 * 60);
  const found = await findPlan(bench.world(), repository.id, question.digest.slice(0, 12));
  expect(found).toMatchObject({ questions: [{ state: 'closed' }], shown: { status: 'awaiting' } });
});

it('one that an earlier version asked about has no values to show', async () => {
  const bench = openWorkbench();
  const { id, question } = await asking(bench);
  await bench.memory.table.write(questionKey(question.digest, id, 1), { set: {}, remove: ['report'] }, { is: 'always' });
  expect(await findPlan(bench.world(), repository.id, question.digest)).not.toHaveProperty('shown');
});

it('several that begin alike are not guessed between: USAGE', async () => {
  const bench = openWorkbench();
  const first = await asking(bench);
  const other = await asking(bench, 'two', 'branch-y');
  const digest = `${first.question.digest.slice(0, 12)}${'0'.repeat(52)}`;
  const address = { repository: repository.id, environment: 'production', scope: 'branch-y' };
  await bench.memory.table.write(runKey(other.id), { set: { question: { ...other.question, digest } } }, { is: 'always' });
  await openQuestion(bench.world(), { run: other.id, q: 1, digest, askedAt: '2026-01-01T00:00:00.000Z', expiresAt: 0 }, address);
  await expect(findPlan(bench.world(), repository.id, digest.slice(0, 12))).rejects.toMatchObject(code('USAGE'));
});

it('one that nobody was asked about, or that is another repository’s, is not there: NOT_FOUND', async () => {
  const bench = openWorkbench();
  const { question } = await asking(bench);
  for (const wanted of ['f'.repeat(12), 'f'.repeat(64)]) await expect(findPlan(bench.world(), repository.id, wanted)).rejects.toMatchObject(code('NOT_FOUND'));
  await expect(findPlan(bench.world(), 'another', question.digest)).rejects.toMatchObject(code('NOT_FOUND'));
  await expect(findPlan(bench.world(), repository.id, 'main')).rejects.toMatchObject(code('USAGE'));
});

it('one of a newer format is left to newer code, and one that is gone or changed is shown to nobody', async () => {
  const bench = openWorkbench();
  const { id, question } = await asking(bench);
  const found = await findPlan(bench.world(), repository.id, question.digest);
  const newer = { ...found.document, format: 9 } as unknown as PlanDocument;
  await bench.world().objects.put(planKey(planDigest(newer)), canonicalJson(newer), { ifAbsent: true });
  await expect(findPlan(bench.world(), repository.id, planDigest(newer))).rejects.toMatchObject(code('RECEIPT_VERSION'));

  const gone = 'e'.repeat(64);
  await bench.memory.table.write(runKey(id), { set: { question: { ...question, digest: gone } } }, { is: 'always' });
  await expect(findPlan(bench.world(), repository.id, gone.slice(0, 12))).rejects.toMatchObject(code('PLAN_CORRUPT'));
  await bench.world().objects.put(planKey(gone), canonicalJson(found.document), { ifAbsent: true });
  await expect(findPlan(bench.world(), repository.id, gone.slice(0, 12))).rejects.toMatchObject(code('PLAN_CORRUPT'));
});
