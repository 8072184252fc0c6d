import { describe, expect, test } from 'vitest';
import type { Fate } from '../../test/ports/mortal.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { questionsWith } from '../approvals/question.ts';
import type { Run } from './items.ts';

const gated = [
  { id: 'a', things: { x: { secret: 'env://DSN' } }, environment: 'production' },
  { id: 'b', things: { y: 'clear' } },
];

function bench(): Workbench {
  const opened = openWorkbench();
  opened.secrets.set('DSN', 'canary-dsn-9d1c');
  return opened;
}

const comments = (on: Workbench): string[] => [...on.code.comments.values()].map((comment) => JSON.stringify(comment));
const digestOf = (run: Run): string => run.question?.digest ?? 'no question';

describe('a run that asks', () => {
  test('has stored what it shows: every line with its changes, the digest, and until when', async () => {
    const on = bench();
    const run = await on.release(7, 'one', gated);
    expect(await on.report(run.id)).toMatchObject({
      status: 'awaiting',
      question: { digest: digestOf(run), expiresAt: new Date(run.question?.expiresAt ?? 0).toISOString() },
      lines: [
        { id: 'a', status: 'create', changes: [{ kind: 'create' }] },
        { id: 'b', status: 'create', changes: [{ kind: 'create' }] },
      ],
    });
  });

  test('tells its pull request, with no secret in it, nor in anything stored (I1)', async () => {
    const on = bench();
    const run = await on.release(7, 'one', gated);
    expect(comments(on)).toEqual([expect.stringContaining(digestOf(run))]);
    const own = [...on.code.checks.values()].filter(({ name }) => !name.endsWith(' after merge'));
    expect(own).toMatchObject([{ conclusion: 'action_required', text: expect.stringContaining(digestOf(run)) }]);
    const everything = JSON.stringify([comments(on), [...on.code.checks.values()], on.memory.items(), await on.report(run.id), on.logged]);
    expect(everything).not.toContain('canary-dsn-9d1c');
  });

  test('says how much the scope manages already', async () => {
    const on = bench();
    await on.release(7, 'one', [{ id: 'b', things: { y: 'clear' } }]);
    const run = await on.release(7, 'two', gated);
    expect(await on.report(run.id)).toMatchObject({ status: 'awaiting', managed: 1 });
  });

  test('and whose plan is refused says so, with what the scope manages, and asks nobody', async () => {
    const on = bench();
    await on.release(7, 'one', [{ id: 'b', things: { y: 'clear' } }]);
    const run = await on.release(7, 'two', [...gated, { id: 'c', things: { z: { secret: 'env://NOWHERE' } } }]);
    expect(await on.report(run.id)).toMatchObject({ status: 'failed', managed: 1 });
    expect(await questionsWith(on.memory.table, repository.id, '')).toEqual([]);
  });
});

/** Calls the functions make from the pull request's event until the run is parked. */
async function callsUntilAsked(): Promise<number> {
  const on = bench();
  await on.release(7, 'one', gated);
  return on.fates.calls.length;
}

describe.each<Fate>(['before', 'after', 'lost', 'unsent'])('a death or a lost answer (%s) wherever it falls while it asks', (fate) => {
  test('leaves one question that can be answered, told on the one comment', async () => {
    const calls = await callsUntilAsked();
    for (let nth = 0; nth < calls; nth += 1) {
      const on = bench();
      on.pull(7, 'one', gated);
      on.fates.plan(nth, fate);
      const id = await on.event('opened', 7, 'one');
      await on.quiet();
      if (/^(lost|unsent) provider/.test(on.fates.met() ?? '')) continue; // a provider that does not answer fails the plan: nobody is asked
      for (let sweeps = 0; sweeps < 4 && (await on.run(id).catch(() => undefined))?.phase !== 'awaiting'; sweeps += 1) await on.sweep();
      const run = await on.run(id);
      expect(run, on.fates.met()).toMatchObject({ phase: 'awaiting' });
      const asked = await questionsWith(on.memory.table, repository.id, digestOf(run));
      expect(asked, on.fates.met()).toMatchObject([{ run: id, state: 'open' }]);
      expect(comments(on), on.fates.met()).toEqual([expect.stringContaining(digestOf(run))]);
      expect(
        on.memory.items().filter((item) => item.sk === 'SEALED'),
        on.fates.met(),
      ).toEqual([]);
    }
  });
});
