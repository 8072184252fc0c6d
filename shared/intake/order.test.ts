import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, mona, openWorkbench, planOf, planPath, repository, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { readHead } from '../ledger/head.ts';
import type { Run } from '../run/items.ts';

/** What each commit's plan makes; `none` has no plan file. */
const plans: Readonly<Record<string, readonly object[] | undefined>> = {
  one: [{ id: 'a', things: { x: '1' } }],
  two: [{ id: 'a', things: { x: '2', y: '2' } }],
  elsewhere: [{ id: 'b', things: { z: '3' } }],
  none: undefined,
};
type Commit = keyof typeof plans & string;

/** What people do on a pull request, and how many of the messages that lie about are delivered before the next. */
type Move =
  | { readonly does: 'head'; readonly commit: Commit }
  | { readonly does: 'close' | 'reopen' }
  | { readonly does: 'deliver'; readonly picks: readonly number[] };

const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('head' as const), commit: fc.constantFrom('one', 'two', 'elsewhere', 'none') }) },
  fc.record({ does: fc.constantFrom('close' as const, 'reopen' as const) }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('deliver' as const), picks: fc.array(fc.nat(99), { maxLength: 12 }) }) },
);

const runsOf = (bench: Workbench): Run[] => bench.memory.items().filter((item) => item['item'] === 'run') as unknown as Run[];

/** Moves the world, and tells of it: the event may lie in the queue for long, beside others. */
async function make(bench: Workbench, move: Move, head: { commit: Commit; open: boolean }): Promise<void> {
  if (move.does === 'deliver') return deliver(bench, move.picks);
  const was = { ...head };
  if (move.does === 'head') head.commit = move.commit;
  else head.open = move.does === 'reopen';
  bench.code.pulls.set(7, { number: 7, open: head.open, head: { sha: commitOf(head.commit), branch: 'feat-7', fork: false } });
  if (move.does === 'head' && head.open) await bench.event('synchronize', 7, head.commit);
  if (move.does !== 'head' && was.open !== head.open) await bench.event(head.open ? 'reopened' : 'closed', 7, head.commit);
}

/** Delivers some messages in the order that is picked; every fourth comes a second time. */
async function deliver(bench: Workbench, picks: readonly number[]): Promise<void> {
  for (const [count, pick] of picks.entries()) {
    const ready = bench.queues.waiting().filter((one) => one.at <= bench.clock.now()).length;
    const message = ready === 0 ? undefined : bench.queues.takeAt(pick % ready);
    if (!message) return;
    if (count % 4 === 3) bench.queues.deliver({ ...message });
    await bench.deliver(message);
  }
}

/** What the plan of a commit makes, as the provider lists it. */
const demanded = (commit: Commit): string[] =>
  (plans[commit] ?? []).flatMap((line) => Object.entries((line as { things: Record<string, string> }).things).map(([name, value]) => `${name}=${value}`));

describe('whatever happens to a pull request, and in whatever order it is told', () => {
  test('the end is what its present state demands: its head’s plan, or nothing once it is closed (P6, I8, I10)', async () => {
    const happening = fc.array(moves, { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(happening, fc.array(fc.nat(99), { minLength: 20, maxLength: 20 }), async (story, order) => {
        const bench = openWorkbench();
        for (const [commit, plan] of Object.entries(plans)) if (plan) bench.code.commit(commitOf(commit), planPath, planOf(plan));
        const head: { commit: Commit; open: boolean } = { commit: 'one', open: true };
        bench.code.pulls.set(7, { number: 7, open: true, head: { sha: commitOf('one'), branch: 'feat-7', fork: false } });
        await bench.event('opened', 7, 'one');
        for (const move of story) await make(bench, move, head);
        let at = 0;
        await bench.quiet((ready) => (order[at++ % order.length] as number) % ready);

        expect(disagreements(bench)).toEqual([]);
        if (!head.open) expect(bench.provider.names()).toEqual([]);
        // What a line does not name any more stays until a person says otherwise; everything it does name is there.
        else if (plans[head.commit]) expect(bench.provider.names()).toEqual(expect.arrayContaining(demanded(head.commit)));
      }),
      { numRuns: 150 },
    );
  });
});

describe('a renamed repository', () => {
  test('keeps its scope and its resources: the event’s old name leads to the same id, and the run has the new one', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', plans['one'] ?? []);
    bench.code.repository = { name: 'shop' };
    const again = await bench.release(7, 'two', plans['two'] ?? []);
    expect(again).toMatchObject({ outcome: 'complete', repository: { id: repository.id, name: 'shop' } });
    expect(bench.provider.names()).toEqual(['x=2', 'y=2']);
    expect((await readHead(bench.memory.table, scopeOf(7)))?.history).toHaveLength(2);
    expect((await bench.close(7, 'two')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('whose old name is another repository’s by now starts nothing there', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', plans['one'] ?? []);
    bench.code.repository = { id: '9999' };
    await bench.event('opened', 7, 'one');
    await bench.quiet();
    expect(runsOf(bench)).toEqual([]);
  });
});

describe('several plans in one policy', () => {
  const policy = `version: 1
plans:
  - { name: site, path: site.yaml }
  - { name: docs, path: docs.yaml }
`;

  /** A pull request with both plans; `tell` says in which order GitHub does. */
  async function both(tell: (bench: Workbench) => Promise<unknown>): Promise<Workbench> {
    const bench = openWorkbench();
    bench.code.tips.set('main', commitOf('tip'));
    bench.code.commit(commitOf('tip'), 'lockkeeper.yaml', policy);
    bench.code.commit(commitOf('one'), 'site.yaml', planOf([{ id: 'a', things: { site: '1' } }]));
    bench.code.commit(commitOf('one'), 'docs.yaml', planOf([{ id: 'a', things: { docs: '1' } }]));
    bench.code.pulls.set(7, { number: 7, open: true, head: { sha: commitOf('one'), branch: 'feat-7', fork: false } });
    await tell(bench);
    await bench.quiet();
    return bench;
  }
  const set = (bench: Workbench, open: boolean) => {
    const pull = bench.code.pulls.get(7);
    if (pull) bench.code.pulls.set(7, { ...pull, open });
  };

  test('are each removed when the pull request closes', async () => {
    const bench = await both((one) => one.event('opened', 7, 'one'));
    expect(bench.provider.names()).toEqual(['docs=1', 'site=1']);
    set(bench, false);
    await bench.event('closed', 7, 'one');
    await bench.quiet();
    expect(bench.provider.names()).toEqual([]);
    expect(
      runsOf(bench)
        .filter(({ kind }) => kind === 'destroy')
        .map(({ plan }) => [plan.name, plan.path])
        .sort(),
    ).toEqual([
      ['docs', 'docs.yaml'],
      ['site', 'site.yaml'],
    ]);
  });

  test('stay, each of them, when a closing comes after the reopening that followed it', async () => {
    const bench = await both((one) => one.event('opened', 7, 'one'));
    await bench.event('reopened', 7, 'one');
    await bench.event('closed', 7, 'one');
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['docs=1', 'site=1']);
    expect(runsOf(bench).filter(({ kind }) => kind === 'destroy')).toEqual([]);
  });

  test('are never made when the closing is told before the opening', async () => {
    const bench = await both(async (one) => {
      set(one, false);
      await one.event('closed', 7, 'one');
      await one.event('opened', 7, 'one');
    });
    expect(bench.provider.writes).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('of which one is gone from the commit: that one is told to be managed still, the other is applied', async () => {
    const bench = await both((one) => one.event('opened', 7, 'one'));
    bench.code.commit(commitOf('two'), 'site.yaml', planOf([{ id: 'a', things: { site: '2' } }]));
    bench.code.pulls.set(7, { number: 7, open: true, head: { sha: commitOf('two'), branch: 'feat-7', fork: false } });
    await bench.happens({
      format: 1,
      event: 'pull_request',
      action: 'synchronize',
      ...mona,
      pullRequest: { number: 7, headSha: commitOf('two'), headBranch: 'feat-7', fork: false },
    });
    await bench.quiet();
    expect(bench.provider.names()).toEqual(['docs=1', 'site=2']);
    expect(bench.code.checks.get(`${commitOf('two')} lockkeeper / docs / preview`)).toMatchObject({ title: 'No plan file; 1 resource still managed' });
    expect(bench.code.checks.get(`${commitOf('two')} lockkeeper / site / preview`)).toMatchObject({ conclusion: 'success' });
  });
});
