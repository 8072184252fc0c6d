import { describe, expect, test } from 'vitest';
import { answer, askedRun, putPolicy } from '../../test/ports/people.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

/** A stack of short times, whose policy gives a lease of so long to one environment. */
function bench(environment: string, ttl: string): Workbench {
  const opened = openWorkbench();
  putPolicy(opened, JSON.stringify({ version: 1, environments: { [environment]: { lease_ttl: ttl } } }));
  return opened;
}

/** How long the scope's lease was granted for, ms. */
function stood({ memory }: Workbench): number {
  const lease = memory.items().find(({ sk }) => sk === 'LEASE');
  return Number(lease?.['expiresAt']) - Number(lease?.['grantedAt']);
}

describe('a run’s lease stands as long as policy says of its environment', () => {
  test('where nobody is asked', async () => {
    const opened = bench('preview', '40s');
    expect((await opened.release(7, 'one', changes)).outcome).toBe('complete');
    expect(stood(opened)).toBe(40_000);
  });

  test('where people are asked, and the guard takes it', async () => {
    const opened = bench('production', '50s');
    expect((await answer(opened, await askedRun(opened, changes))).outcome).toBe('complete');
    expect(stood(opened)).toBe(50_000);
  });

  test('and otherwise as the stack was deployed', async () => {
    const opened = bench('production', '50s');
    expect((await opened.release(7, 'one', changes)).outcome).toBe('complete');
    expect(stood(opened)).toBe(18_000);
  });

  test('a time that is too short for this stack stops the run, whatever another stack could do with it', async () => {
    const opened = bench('preview', '17s');
    opened.pull(7, 'one', changes);
    const id = await opened.command({ commit: 'one' });
    await opened.quiet();
    const run = await opened.run(id);
    expect(run).toMatchObject({ outcome: 'failed', problem: { code: 'POLICY_INVALID' } });
    expect(run.problem?.message).toContain('write `18s` or more for this stack');
  });
});
