import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { answer, putPolicy } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { Run } from './items.ts';

const policy = (isProtected: boolean) => JSON.stringify({ version: 1, environments: { staging: { protected: isProtected } } });
const broken = '{ "version": 1, "environments": { "staging": { "protected": "yes" } } }';
const writing = (environment: string) => [
  { id: 'a', things: { x: '1' } },
  { id: 'b', things: { y: '2' }, environment },
];

/** A pull request's release to `preview`, approved where somebody is asked. */
async function released(bench: Workbench, changes: readonly object[]): Promise<Run> {
  const run = await bench.release(7, 'one', changes);
  const ended = run.phase === 'awaiting' ? await answer(bench, run) : run;
  expect(ended.outcome).toBe('complete');
  bench.clock.advance(1000);
  return run;
}

describe('a destroy asks policy what is protected (I7)', () => {
  test('and asks about the whole of a preview with a line that writes a protected environment', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    expect((await released(bench, writing('staging'))).gated).toBe(true);
    const run = await bench.close(7, 'one');
    expect(run).toMatchObject({ phase: 'awaiting', kind: 'destroy', protects: ['staging'] });
    expect(await bench.statuses(run.id)).toEqual({ a: 'delete', b: 'delete' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    expect(await answer(bench, run)).toMatchObject({ outcome: 'complete' });
    expect(bench.provider.names()).toEqual([]);
    expect(disagreements(bench)).toEqual([]);
  });

  test('and asks before it removes anything of a protected environment', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    bench.pull(7, 'one', writing('preview'), { environments: ['preview', 'staging'] });
    const ids = { commit: 'one', environment: 'staging', scope: 'main' };
    const id = await bench.command(ids);
    await bench.quiet();
    await answer(bench, await bench.run(id));
    const destroy = await bench.command({ ...ids, intent: 'destroy' });
    await bench.quiet();
    const asked = await bench.run(destroy);
    expect(asked).toMatchObject({ phase: 'awaiting', kind: 'destroy', protects: ['staging'] });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    expect(await answer(bench, asked, 'reject')).toMatchObject({ outcome: 'rejected' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test('and what was asked is asked, although policy protects it no more: a new removal is free', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    await released(bench, writing('staging'));
    const run = await bench.close(7, 'one');
    putPolicy(bench, policy(false));
    await bench.sweep(16);
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    bench.clock.advance(1000);
    expect(await bench.close(7, 'one')).toMatchObject({ outcome: 'complete' });
    expect((await bench.run(run.id)).outcome).toBe('superseded');
    expect(bench.provider.names()).toEqual([]);
  });
});

describe('what a line made in a protected environment is not removed unasked once the line points elsewhere (I7)', () => {
  const inProduction = [{ id: 'a', things: { x: '1' }, environment: 'production' }];
  const elsewhere = { id: 'a', things: { y: '2' } };

  test.each([
    ['at another environment', [{ ...elsewhere, environment: 'preview' }]],
    ['at none of its own', [elsewhere]],
    ['elsewhere under another name', [{ id: 'b', things: { x: '1', y: '2' }, environment: 'preview' }]],
  ])('%s', async (_where, second) => {
    const bench = openWorkbench();
    await released(bench, inProduction);
    expect((await bench.release(7, 'two', second)).outcome).toBe('complete');
    bench.clock.advance(1000);
    expect((await bench.release(7, 'three', second)).outcome).toBe('complete');
    expect(await bench.close(7, 'three')).toMatchObject({ phase: 'awaiting', protects: ['production'] });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test.each([
    ['the same line', [elsewhere]],
    ['another name of the line', [{ id: 'b', things: { x: '1', y: '2' } }]],
  ])('nor while the policy has a mistake in it: %s', async (_which, second) => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    await released(bench, [{ id: 'a', things: { x: '1' }, environment: 'staging' }]);
    expect((await bench.release(7, 'two', second)).outcome).toBe('complete');
    putPolicy(bench, broken);
    expect(await bench.close(7, 'two')).toMatchObject({ outcome: 'failed', problem: { code: 'ENV_NOT_APPROVED' } });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test('and a ledger of the version before, which knows the newest environment alone, is read as it is', async () => {
    const bench = openWorkbench();
    await released(bench, inProduction);
    const held = bench.memory.items().find((item) => item.sk === 'LEDGER#a');
    expect(held).toMatchObject({ writes: 'production' });
    expect(held).not.toHaveProperty('wrote');
    await bench.release(7, 'two', [elsewhere]);
    expect(bench.memory.items().find((item) => item.sk === 'LEDGER#a')).toMatchObject({ wrote: ['production'] });
  });

  test('but what a line never came to make there keeps nothing alive (I8)', async () => {
    const bench = openWorkbench();
    const begun = { line: 'a', adapter: 'example', op: 'things', needs: [], entries: [], writes: 'production', wrote: ['staging'], protected: true };
    const item = { ...begun, format: 1, version: 'of a run that died', fence: 0, lastRun: 'one' };
    await bench.memory.table.write({ pk: `SCOPE#${repository.id}#main#preview#pr-7`, sk: 'LEDGER#a' }, { put: item }, { is: 'always' });
    await released(bench, [{ ...elsewhere, environment: 'preview' }]);
    expect(bench.memory.items().find((item) => item.sk === 'LEDGER#a')).toMatchObject({ writes: 'preview', wrote: [], protected: false });
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });
});

describe('a destroy under a policy with a mistake in it', () => {
  test('removes what nobody protected when it was made: a closed pull request leaves nothing (I8)', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    await released(bench, writing('preview'));
    putPolicy(bench, broken);
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual([]);
  });

  test('leaves what was protected when it was made, and removes it once the policy is mended and says that it may (I7)', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    await released(bench, writing('staging'));
    putPolicy(bench, broken);
    const run = await bench.close(7, 'one');
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'ENV_NOT_APPROVED', message: expect.stringContaining('lockkeeper.yaml') } });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
    putPolicy(bench, policy(false));
    await bench.sweep(16);
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('goes by the last apply, not by the first: what a later one made free is removed', async () => {
    const bench = openWorkbench();
    putPolicy(bench, policy(true));
    await released(bench, writing('staging'));
    putPolicy(bench, policy(false));
    expect((await released(bench, writing('staging'))).gated).toBeUndefined();
    putPolicy(bench, broken);
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
  });

  test('never removes what writes production', async () => {
    const bench = openWorkbench();
    await released(bench, writing('production'));
    putPolicy(bench, broken);
    expect(await bench.close(7, 'one')).toMatchObject({ outcome: 'failed', problem: { code: 'ENV_NOT_APPROVED' } });
    expect(bench.provider.names()).toEqual(['x=1', 'y=2']);
  });

  test('waits for a host that cannot be asked: not knowing the policy is no mistake in it', async () => {
    const bench = openWorkbench();
    await released(bench, writing('preview'));
    let asked = 0;
    bench.code.onAsk = (what) => {
      if (what === 'defaultTip' && ++asked > 1 && asked < 4) throw new Error('the host does not answer'); // the first to ask is the intake
    };
    expect((await bench.close(7, 'one')).outcome).toBe('complete');
    expect(asked).toBe(4);
  });
});
