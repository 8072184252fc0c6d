import { describe, expect, test } from 'vitest';
import { commitOf, openWorkbench, repository, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import type { Code } from '../errors/codes.ts';
import { LockkeeperError } from '../errors/error.ts';
import { identityHash } from '../ledger/identity.ts';
import { latestKey } from '../receipts/chain.ts';
import { scopePath } from '../table/keys.ts';
import type { RunKind } from './report.ts';

const scope = scopeOf(7);
const latest = latestKey(scopePath({ repository: repository.id, plan: 'main', environment: 'preview', scope: 'pr-7' }));
const left = [{ id: 'a', things: { x: '2' } }];

/** A scope that manages x, holds y as an orphan, and is about to change x. */
async function prepared(): Promise<Workbench> {
  const bench = openWorkbench();
  await bench.release(7, 'one', [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: '1' } },
  ]);
  await bench.release(7, 'two', [{ id: 'a', things: { x: '1' } }]);
  bench.pull(7, 'three', left);
  return bench;
}

const set = (sk: string, change: object) => (bench: Workbench) =>
  bench.memory.table.write({ pk: `SCOPE#${scope}`, sk }, { set: { ...change } }, { is: 'always' });
const gone = (sk: string) => (bench: Workbench) => bench.memory.table.write({ pk: `SCOPE#${scope}`, sk }, { delete: true }, { is: 'always' });
const claim = (change: object) => async (bench: Workbench) => {
  for (const key of ['thing:x', 'thing:y']) {
    const pk = `CLAIM#${identityHash({ adapter: 'example', account: { place: 'here' }, key })}`;
    await bench.memory.table.write({ pk, sk: 'CLAIM' }, { set: { ...change } }, { is: 'always' });
  }
};
const receipt = (body: string) => async (bench: Workbench) => {
  const top = await bench.bucket.objects.get(latest);
  await bench.bucket.objects.put(latest, body, { ifMatch: top?.etag ?? '' });
};

const writers: readonly RunKind[] = ['apply', 'destroy', 'prune'];
const every: readonly RunKind[] = ['plan', ...writers];
const damages: readonly [string, (bench: Workbench) => Promise<unknown>, Code, readonly RunKind[]][] = [
  ['a ledger line without its entries', set('LEDGER#a', { entries: 'none' }), 'RECEIPT_CORRUPT', every],
  ['a ledger line with half an entry', set('LEDGER#a', { entries: [{ key: 'thing:x' }] }), 'RECEIPT_CORRUPT', every],
  ['a ledger line of a newer format', set('LEDGER#a', { format: 2 }), 'RECEIPT_VERSION', every],
  ['a ledger line that is gone', gone('LEDGER#a'), 'LEDGER_LOST', writers],
  ['a head without its version', set('HEAD', { version: 7 }), 'RECEIPT_CORRUPT', every],
  ['a head of a newer format', set('HEAD', { format: 2 }), 'RECEIPT_VERSION', every],
  ['a head that is gone', gone('HEAD'), 'LEDGER_LOST', every],
  ['a lease without a fence', set('LEASE', { fence: 'one' }), 'RECEIPT_CORRUPT', writers],
  ['a lease of a newer format', set('LEASE', { format: 2 }), 'RECEIPT_VERSION', writers],
  ['a claim without an owner', claim({ scope: 1 }), 'RECEIPT_CORRUPT', writers],
  ['a claim of a newer format', claim({ format: 2 }), 'RECEIPT_VERSION', writers],
  ['a receipt that is not JSON', receipt('{"format":1,'), 'RECEIPT_CORRUPT', every],
  ['a receipt that is none', receipt('{"format":1}'), 'RECEIPT_CORRUPT', every],
  ['a receipt of a newer format', receipt('{"format":2,"run":"r","ledger":[]}'), 'RECEIPT_VERSION', every],
];

describe.each(damages)('%s stops a run with its code, and is never "nothing managed" (R1.83)', (_what, damage, code, kinds) => {
  test.each(kinds)('%s', async (intent) => {
    const bench = await prepared();
    await damage(bench);
    const [writes, scopeItems] = [bench.provider.writes.length, held(bench)];
    const options = { busy: 'fail' as const, ...(intent === 'prune' ? { confirmed: true as const } : {}) };
    const id = await bench.command({ commit: 'three', intent, pullRequest: 7, scope: 'pr-7', branch: 'feat-7', options });
    await bench.quiet();
    const run = await bench.run(id);
    const report = await bench.report(id);
    expect([run.outcome, report.problem?.code ?? report.lines.find(({ problem }) => problem)?.problem?.code]).toEqual(['failed', code]);
    expect(bench.provider.writes).toHaveLength(writes);
    expect(held(bench)).toEqual(scopeItems);
    expect(report.managed).toBeGreaterThan(0);
  });
});

/** Keys that the scope's ledger names, whatever shape its items are in. */
const held = (bench: Workbench) =>
  bench.memory
    .items()
    .filter(({ pk, sk }) => pk === `SCOPE#${scope}` && sk.startsWith('LEDGER#'))
    .map(({ sk, entries }) => [sk, JSON.stringify((Array.isArray(entries) ? entries : [entries]).map((entry) => (entry as { key?: string }).key ?? entry))]);

test('a store that does not answer is asked again: nothing is written meanwhile, and nothing is taken for unmanaged', async () => {
  const bench = await prepared();
  const { get } = bench.bucket.objects;
  let refusals = 5;
  bench.bucket.objects.get = async (...asked) => {
    if (refusals-- > 0) throw new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'away' });
    return get.apply(bench.bucket.objects, asked);
  };
  const id = await bench.command({ commit: 'three', intent: 'destroy', pullRequest: 7, scope: 'pr-7', branch: 'feat-7' });
  await bench.quiet();
  expect(await bench.run(id)).toMatchObject({ outcome: 'complete' });
  expect(bench.provider.names()).toEqual([]);
});

test('a pull request that is closed while its ledger cannot be read keeps everything, and says why', async () => {
  const bench = await prepared();
  await set('LEDGER#a', { entries: 'none' })(bench);
  const run = await bench.close(7, 'three');
  expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'RECEIPT_CORRUPT' } });
  expect(bench.provider.names()).toEqual(['x=1', 'y=1']);
  expect([...bench.code.comments.values()].some((body) => body.includes('RECEIPT_CORRUPT'))).toBe(true);
  expect(run.commit).toBe(commitOf('three'));
});
