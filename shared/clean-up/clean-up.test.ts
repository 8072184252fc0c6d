import { describe, expect, test } from 'vitest';
import type { ControlMessage } from '../../events/control-message.ts';
import { disagreements } from '../../test/ports/agreement.ts';
import { commitOf, mona, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';
import { scopeName } from '../plan/scope.ts';
import type { Run } from '../run/items.ts';

const lines = (name: string) => [{ id: 'a', things: { [name]: '1' } }];
const night: ControlMessage = { format: 4, look: 'left', group: 'schedule' };

async function cleanUp(bench: Workbench): Promise<void> {
  bench.queues.deliver({ queue: 'control', at: bench.clock.now(), message: night });
  await bench.quiet();
}

const there = (bench: Workbench) => bench.provider.names().map((name) => name.slice(0, name.indexOf('=')));
const destroys = (bench: Workbench) => bench.memory.items().filter((item) => item['item'] === 'run' && item['kind'] === 'destroy') as unknown as Run[];
const counts = (bench: Workbench) => bench.logged.filter(({ message }) => message === 'cleaned up').at(-1)?.fields;

/** A closed pull request nobody was told about. */
function closeUnheard(bench: Workbench, number: number): void {
  const pull = bench.code.pulls.get(number);
  if (pull) bench.code.pulls.set(number, { ...pull, open: false });
}

/** A branch that somebody applies from a terminal. */
async function applyBranch(bench: Workbench, branch: string, name: string): Promise<string> {
  const scope = scopeName({ pullRequest: undefined, branch, defaultBranch: 'main' });
  bench.code.tips.set(branch, commitOf(branch));
  bench.code.commit(
    commitOf(branch),
    'release.plan.yaml',
    JSON.stringify({ version: 1, changes: lines(name).map((line) => ({ adapter: 'example', op: 'things', ...line })) }),
  );
  await bench.command({ commit: branch, branch, scope });
  await bench.quiet();
  return scope;
}

/** A bench whose repository is known, since an event has come from it. */
async function known(): Promise<Workbench> {
  const bench = openWorkbench();
  await bench.happens({ format: 2, event: 'push', ...mona, push: { branch: 'elsewhere', sha: commitOf('zero') } });
  await bench.quiet();
  return bench;
}

describe('the nightly clean-up', () => {
  test('removes what a closed pull request left, and says so on it as any destroy does', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    await bench.release(8, 'two', lines('y'));
    closeUnheard(bench, 7);
    await cleanUp(bench);
    expect(there(bench)).toEqual(['y']);
    expect(destroys(bench)).toMatchObject([{ scope: 'pr-7', outcome: 'complete' }]);
    expect([...bench.code.comments.values()].some((body) => body.includes('1 line removed'))).toBe(true);
    expect(counts(bench)).toMatchObject({ removing: 1, kept: 1 });
    expect(disagreements(bench)).toEqual([]);
  });

  test('removes what a deleted branch left, whatever is in its name, and leaves a branch that is there', async () => {
    const bench = await known();
    await applyBranch(bench, 'feat/größe', 'x');
    await applyBranch(bench, 'feat-größe', 'y');
    bench.code.tips.delete('feat/größe');
    await cleanUp(bench);
    expect(there(bench)).toEqual(['y']);
    expect(destroys(bench)).toMatchObject([{ branch: 'feat/größe', outcome: 'complete' }]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('takes nothing away twice, and a scope that holds nothing costs no request', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    closeUnheard(bench, 7);
    await cleanUp(bench);
    const asked: string[] = [];
    bench.code.onAsk = (question) => void asked.push(question);
    await cleanUp(bench);
    expect(asked).not.toContain('pullRequest');
    expect(destroys(bench)).toHaveLength(1);
    expect(counts(bench)).toMatchObject({ empty: 1 });
  });

  test('asks again under the lease: a pull request that is opened meanwhile keeps what it has', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    closeUnheard(bench, 7);
    bench.code.onAsk = (question) => {
      const pull = bench.code.pulls.get(7);
      const runs = bench.memory.items().some((item) => (item['options'] as { cleanUp?: true } | undefined)?.cleanUp);
      if (question === 'pullRequest' && runs && pull) bench.code.pulls.set(7, { ...pull, open: true });
    };
    await cleanUp(bench);
    expect(there(bench)).toEqual(['x']);
    expect(await readHead(bench.memory.table, scopeOf(7))).not.toHaveProperty('tombstone');
  });

  test('leaves the default branch’s scope, and a branch that became the default one', async () => {
    const bench = await known();
    const scope = await applyBranch(bench, 'trunk', 'x');
    bench.code.tips.delete('trunk');
    bench.code.repository = { defaultBranch: 'trunk' };
    await cleanUp(bench);
    expect([scope, there(bench), destroys(bench)]).toEqual(['branch-trunk', ['x'], []]);
  });

  test('leaves what is protected, and says which (I7)', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    closeUnheard(bench, 7);
    bench.code.tips.set('main', commitOf('policy'));
    bench.code.commit(commitOf('policy'), 'lockkeeper.yaml', 'version: 1\nenvironments: { preview: { protected: true } }\n');
    await cleanUp(bench);
    expect(there(bench)).toEqual(['x']);
    expect(destroys(bench)).toEqual([]);
    expect(bench.logged).toContainEqual(
      expect.objectContaining({ message: 'the clean-up leaves a scope', fields: expect.objectContaining({ scope: 'pr-7' }) }),
    );
  });

  test('removes nothing while nobody can say what is protected', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    closeUnheard(bench, 7);
    bench.code.tips.set('main', commitOf('policy'));
    bench.code.commit(commitOf('policy'), 'lockkeeper.yaml', 'version: 2\n');
    await cleanUp(bench);
    expect([there(bench), counts(bench)?.['failed']]).toEqual([['x'], 1]);
  });

  test('goes by no silence: a pull request the host does not know keeps what it has', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    bench.code.pulls.delete(7);
    await cleanUp(bench);
    expect([there(bench), destroys(bench)]).toEqual([['x'], []]);
  });

  test('starts nothing on a machine, whose git knows of no pull request', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    closeUnheard(bench, 7);
    Object.assign(bench.code.host, { deliveries: undefined });
    await cleanUp(bench);
    expect(there(bench)).toEqual(['x']);
  });

  test('a scope that cannot be removed keeps none behind it from its turn, and comes again the next night (I11)', async () => {
    const bench = openWorkbench();
    const numbers = Array.from({ length: 120 }, (_, at) => at + 1);
    for (const number of numbers) await bench.release(number, `c${number}`, lines(`x${number}`));
    for (const number of numbers) closeUnheard(bench, number);
    const stuck = new Set(numbers.slice(0, 60).map((number) => `x${number}`));
    bench.provider.faults.fail(
      ({ method, name }) => method === 'DELETE' && stuck.has(name ?? ''),
      new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }),
      Number.POSITIVE_INFINITY,
    );
    await cleanUp(bench);
    expect(there(bench).filter((name) => !stuck.has(name))).toEqual([]);
    expect(bench.logged.filter(({ message }) => message === 'cleaned up, and goes on').length).toBeGreaterThanOrEqual(2);
    const first = destroys(bench).length;
    bench.provider.faults.clear();
    await cleanUp(bench);
    expect(destroys(bench)).toHaveLength(first); // the same night is the same run
    bench.clock.advance(24 * 3_600_000);
    await cleanUp(bench);
    expect(there(bench)).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('a repository that cannot be asked, and a pull request that cannot, keep nobody from the next', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    await bench.release(8, 'two', lines('y'));
    closeUnheard(bench, 7);
    closeUnheard(bench, 8);
    const { pullRequest } = bench.code.host;
    Object.assign(bench.code.host, {
      pullRequest: async (repository: Parameters<typeof pullRequest>[0], number: number) => {
        if (number === 7) throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'away' });
        return pullRequest(repository, number);
      },
    });
    await cleanUp(bench);
    expect(there(bench)).toEqual(['x']);
    expect(bench.logged).toContainEqual(expect.objectContaining({ message: 'the clean-up could not look at it' }));
  });

  test('leaves a destroy that failed to the sweep, which tries it again', async () => {
    const bench = openWorkbench();
    await bench.release(7, 'one', lines('x'));
    bench.provider.faults.fail(({ method }) => method === 'DELETE', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }), 1);
    await bench.close(7, 'one');
    await cleanUp(bench);
    expect([destroys(bench).length, counts(bench)?.['tended']]).toEqual([1, 1]);
    await bench.sweep(16);
    expect(there(bench)).toEqual([]);
  });
});
