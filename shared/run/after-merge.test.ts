import { expect, test, vi } from 'vitest';
import { putPolicy } from '../../test/ports/people.ts';
import { commitOf, mona, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

const canary = 'c4nary-of-a-secret-that-nobody-opens';

/** A stack whose policy names a credential that can only read, and whose pull requests touch nothing themselves. */
function bench(production: object = { read_credentials: { EXAMPLE_TOKEN: 'READ_TOKEN' } }): { made: Workbench; asked: () => string[] } {
  const made = openWorkbench('deployed');
  putPolicy(made, JSON.stringify({ version: 1, events: { pull_request: [] }, environments: { production } }));
  made.secrets.set('READ_TOKEN', 'token-that-can-only-read').set('CANARY', canary);
  const spied = vi.spyOn(made.secrets, 'get');
  return { made, asked: () => [...new Set(spied.mock.calls.map(([name]) => name))] };
}

async function opened(made: Workbench, changes: readonly object[], more: object = {}): Promise<void> {
  made.pull(7, 'one', changes, more);
  await made.event('opened', 7, 'one');
  await made.quiet();
}

const checkOf = (made: Workbench, name = 'lockkeeper / production after merge') => made.code.checks.get(`${commitOf('one')} ${name}`);

test('a pull request shows what its merge would do, by what can only read: no secret source is asked, and nothing is written (I1, I4)', async () => {
  const { made, asked } = bench();
  await opened(made, [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: { secret: 'env://CANARY' } } },
    { id: 'c', things: { z: { from: 'a.id' } } },
  ]);
  expect(asked()).toEqual(['READ_TOKEN']);
  expect(made.provider.calls.length).toBeGreaterThan(0);
  expect(made.provider.writes).toEqual([]);
  const check = checkOf(made);
  expect(check).toMatchObject({ status: 'completed', conclusion: 'success', actions: [] });
  expect(check?.text).toMatch(/`b` .*pending.*waits for the merge/);
  expect(check?.text).toMatch(/`a` .*create/);
  expect(JSON.stringify([check, made.memory.items(), made.logged])).not.toContain(canary);
});

test('a line whose credential policy does not name is not looked at', async () => {
  const { made, asked } = bench({ plan_on_pull_request: true });
  await opened(made, [{ id: 'a', things: { x: '1' } }]);
  expect(asked()).toEqual([]);
  expect(made.provider.calls).toEqual([]);
  expect(checkOf(made)?.text).toContain('waits for the merge');
});

test('a pull request into another branch is told nothing of what its merge would do: it would start no run there', async () => {
  const { made } = bench();
  made.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const pull = made.code.pulls.get(7);
  if (pull) made.code.pulls.set(7, { ...pull, base: 'develop' });
  await made.event('opened', 7, 'one');
  await made.quiet();
  expect(made.provider.calls).toEqual([]);
  expect(checkOf(made)).toBeUndefined();
});

test('one that is to be merged into the default branch by now is told at once what that would do, and starts no other run', async () => {
  const { made } = bench();
  made.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const pull = made.code.pulls.get(7) as NonNullable<ReturnType<typeof made.code.pulls.get>>;
  made.code.pulls.set(7, { ...pull, base: 'develop' });
  const edited = async (base: string) => {
    made.code.pulls.set(7, { ...pull, base });
    const pullRequest = { number: 7, headSha: pull.head.sha, headBranch: pull.head.branch, fork: false };
    await made.happens({ format: 6, event: 'pull_request', action: 'edited', ...mona, pullRequest });
    await made.quiet();
  };
  await edited('release');
  expect(made.code.checks.size).toBe(0);
  await edited('main');
  expect(checkOf(made)?.text).toMatch(/`a` .*create/);
  expect(made.memory.items().filter((item) => item['item'] === 'run')).toHaveLength(1);
});

test('where policy lets nothing be looked at, its lines are named without a run, and planned once policy lets them (I1, I4)', async () => {
  const { made, asked } = bench({});
  await opened(made, [{ id: 'a', things: { x: '1' } }]);
  const later = checkOf(made);
  expect(later).toMatchObject({ conclusion: 'neutral', title: '1 line planned after merge', actions: [] });
  expect(later?.text).toMatch(/`a`: planned after merge .*can only read for EXAMPLE_TOKEN/);
  expect([asked(), made.provider.calls, made.memory.items().filter((item) => item['item'] === 'run')]).toEqual([[], [], []]);
  putPolicy(
    made,
    JSON.stringify({ version: 1, events: { pull_request: [] }, environments: { production: { read_credentials: { EXAMPLE_TOKEN: 'READ_TOKEN' } } } }),
  );
  const check = { sha: commitOf('one'), externalId: String(later?.externalId) };
  await made.happens({ format: 2, event: 'check_run', action: 'rerequested', ...mona, check });
  await made.quiet();
  expect(checkOf(made)?.text).toMatch(/`a` .*create/);
});

test('a pull request whose plan file is missing or wrong is told nothing of what its merge would do', async () => {
  const { made } = bench({});
  await opened(made, [{ id: 'a', things: { x: { from: 'nowhere.id' } } }]);
  expect([...made.code.checks.keys()]).toEqual([]);
});

test('what the pull request’s own policy says changes nothing: the default branch’s is asked', async () => {
  const { made, asked } = bench({});
  const policy = { version: 1, environments: { production: { read_credentials: { EXAMPLE_TOKEN: 'CANARY' } } } };
  made.code.commit(commitOf('one'), 'lockkeeper.yaml', JSON.stringify(policy));
  await opened(made, [{ id: 'a', things: { x: '1' } }]);
  expect(asked()).toEqual([]);
});

test('its run asks nobody, holds no lease and keeps nothing that a person could give their word about (I4, I7)', async () => {
  const { made } = bench();
  made.provider.edit('x', 'theirs');
  await opened(made, [{ id: 'a', things: { x: '1' } }]);
  const items = made.memory.items().map(({ pk, sk }) => `${pk} ${sk}`);
  expect(items.filter((key) => /LEASE|LEDGER#|FOUND#|QUESTION#|HEAD$/.test(key))).toEqual([]);
  expect(checkOf(made)?.text).toMatch(/`a` .*adopt/);
});
