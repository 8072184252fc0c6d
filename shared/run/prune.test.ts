import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { answer } from '../../test/ports/people.ts';
import { mona, openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { RunOptions } from './items.ts';

const all = [
  { id: 'a', things: { x: '1', y: '1' } },
  { id: 'b', things: { z: '1' } },
  { id: 'c', things: { w: { from: 'b.id' } } },
];
const left = [{ id: 'a', things: { x: '1' } }];
const at = { commit: 'two', pullRequest: 7, scope: 'pr-7', branch: 'feat-7' };

/** A scope that manages x and holds y, z and w, which no line wants. */
async function withOrphans(): Promise<Workbench> {
  const bench = openWorkbench();
  await bench.release(7, 'one', all);
  await bench.release(7, 'two', left);
  return bench;
}

async function prune(bench: Workbench, options: Partial<RunOptions> = {}) {
  const id = await bench.command({ ...at, intent: 'prune', options: { busy: 'wait', confirmed: true, ...options } });
  await bench.quiet();
  return bench.run(id);
}

const there = (bench: Workbench) => bench.provider.names().map((name) => name[0]);
const deleted = (bench: Workbench) => bench.provider.writes.filter(({ method }) => method === 'DELETE').map(({ name }) => name);

describe('a prune', () => {
  test('removes every orphan, what stands on another first, and nothing a line wants (R0.6, R1.67)', async () => {
    const bench = await withOrphans();
    const run = await prune(bench);
    expect(run).toMatchObject({ outcome: 'complete', kind: 'prune', format: 2 });
    expect(there(bench)).toEqual(['x']);
    expect(deleted(bench).indexOf('w')).toBeLessThan(deleted(bench).indexOf('z'));
    expect((await bench.report(run.id)).managed).toBe(1);
    expect(disagreements(bench)).toEqual([]);
    expect(await readHead(bench.memory.table, scopeOf(7))).not.toHaveProperty('tombstone');
  });

  test('that is not told what to remove shows what there is, and takes nothing', async () => {
    const bench = await withOrphans();
    const before = bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#'));
    const id = await bench.command({ ...at, intent: 'prune', options: { busy: 'wait' } });
    await bench.quiet();
    expect((await bench.report(id)).drift.map(({ line, resource }) => `${line} ${resource.label}`)).toEqual(['a thing y', 'b thing z', 'c thing w']);
    expect(there(bench)).toEqual(['w', 'x', 'y', 'z']);
    expect(bench.memory.items().filter((item) => item.pk.startsWith('SCOPE#'))).toEqual(before);
    expect([...bench.code.comments.values()].some((body) => body.includes('Would remove 3 orphans'))).toBe(true);
  });

  test.each([
    ['/lockkeeper prune', ['w', 'x', 'y', 'z']],
    ['/lockkeeper prune b', ['w', 'x', 'y']],
    ['/lockkeeper prune --all', ['x']],
  ])('as a comment of somebody who may push: %s', async (text, expected) => {
    const bench = await withOrphans();
    bench.code.people.set('mona', 'write');
    const [, word] = /prune ?(.*)$/.exec(text) ?? [];
    const prune = word === '' ? {} : word === '--all' ? ({ all: true } as const) : { line: word as string };
    await bench.happens({ format: 3, event: 'issue_comment', action: 'created', ...mona, comment: { pullRequest: 7, prune } });
    await bench.quiet();
    expect(there(bench)).toEqual(expected);
  });

  test('of one line leaves the orphans of the others', async () => {
    const bench = await withOrphans();
    expect(await prune(bench, { only: 'a' })).toMatchObject({ outcome: 'complete' });
    expect(there(bench)).toEqual(['w', 'x', 'z']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('of a line that holds none is refused, and says which do', async () => {
    const bench = await withOrphans();
    const run = await prune(bench, { only: 'nope' });
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'USAGE', message: expect.stringContaining('`a`, `b` and `c`') } });
    expect(there(bench)).toEqual(['w', 'x', 'y', 'z']);
  });

  test('is no commit of the scope, and no tombstone: the same commit is applied afterwards without a write (I3)', async () => {
    const bench = await withOrphans();
    const before = (await readHead(bench.memory.table, scopeOf(7)))?.history;
    await prune(bench);
    expect((await readHead(bench.memory.table, scopeOf(7)))?.history).toEqual(before);
    const writes = bench.provider.writes.length;
    expect((await bench.release(7, 'two', left)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(writes);
  });

  test('re-reads each orphan: one made again outside is left and named (R0.16, R0.20)', async () => {
    const bench = await withOrphans();
    bench.provider.remove('z');
    bench.provider.edit('z', 'by hand');
    const run = await prune(bench, { only: 'b' });
    expect((await bench.report(run.id)).kept).toEqual(['thing z (made again outside)']);
    expect(there(bench)).toContain('z');
  });

  test('that cannot delete one keeps it as an orphan, fails, and is not tried again by itself', async () => {
    const bench = await withOrphans();
    bench.provider.faults.fail(({ method, name }) => method === 'DELETE' && name === 'y', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }), 1);
    const run = await prune(bench);
    expect(run).toMatchObject({ outcome: 'failed' });
    expect(run.resumeAt).toBeUndefined();
    expect(there(bench)).toEqual(['x', 'y']);
    expect((await readLedger(bench.memory.table, scopeOf(7))).flatMap(({ entries }) => entries).map(({ key, orphan }) => [key, orphan])).toEqual([
      ['thing:x', undefined],
      ['thing:y', true],
    ]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('in a protected environment is asked about: exactly the orphans go, once somebody has approved it (I7)', async () => {
    const bench = await withOrphans();
    bench.code.tips.set('main', '9'.repeat(40));
    bench.code.commit('9'.repeat(40), 'lockkeeper.yaml', 'version: 1\nenvironments: { preview: { protected: true } }\n');
    const run = await prune(bench);
    expect(run).toMatchObject({ phase: 'awaiting', kind: 'prune', protects: ['preview'] });
    expect(there(bench)).toEqual(['w', 'x', 'y', 'z']);
    expect(await answer(bench, run)).toMatchObject({ outcome: 'complete' });
    expect(there(bench)).toEqual(['x']);
  });

  test('tells on the pull request what it removed, and leaves the scope’s own comment and check alone', async () => {
    const bench = await withOrphans();
    const [comments, checks] = [new Map(bench.code.comments), new Map(bench.code.checks)];
    await prune(bench);
    for (const [name, body] of comments) expect(bench.code.comments.get(name)).toBe(body);
    expect(bench.code.checks).toEqual(checks);
    expect([...bench.code.comments].find(([name]) => name.includes('lockkeeper pruned'))?.[1]).toContain('Orphans of 3 lines removed');
  });
});

test('a plan says what no line wants any more, and takes nothing (R0.6, R1.39, I4)', async () => {
  const bench = openWorkbench();
  await bench.release(7, 'one', all);
  bench.pull(7, 'two', left);
  const id = await bench.command({ ...at, intent: 'plan' });
  await bench.quiet();
  expect((await bench.report(id)).drift.map(({ kind, resource }) => `${kind} ${resource.key}`)).toEqual(['orphan thing:y', 'orphan thing:z', 'orphan thing:w']);
  expect(there(bench)).toEqual(['w', 'x', 'y', 'z']);
});
