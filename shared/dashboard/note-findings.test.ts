import { describe, expect, it } from 'vitest';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { Findings, LineFinding } from '../scans/findings.ts';
import { rowsNow } from './dashboard-bench.fixture.ts';
import { noteFindings } from './note-findings.ts';
import type { Row } from './row.ts';

const line = (id: string, resources: LineFinding['resources'], more: Partial<LineFinding> = {}): LineFinding => ({
  id,
  adapter: 'example',
  op: 'things',
  looked: 'yes',
  resources,
  deeds: [],
  ...more,
});
const drifted = (label: string): LineFinding['resources'][number] => ({
  key: label,
  label,
  address: label,
  drifted: 'changed',
  change: {
    key: label,
    kind: 'update',
    label,
    fields: [{ path: 'value', before: { state: 'literal', value: 'by hand' }, after: { state: 'literal', value: 'one' } }],
  },
  firstSeen: '2026-01-06T08:00:00.000Z',
});
const findings = (run: string, fence: number, at: string, lines: readonly LineFinding[], more: Partial<Findings> = {}): Findings => ({
  run,
  repository,
  plan: 'main',
  environment: 'staging',
  scope: 'main',
  commit: 'f'.repeat(40),
  by: 'schedule',
  startedAt: at,
  endedAt: at,
  asOf: { fence, at },
  lines,
  beside: [],
  ...more,
});
const found = async (bench: Workbench, ...all: readonly Findings[]): Promise<Row> => {
  for (const one of all) await noteFindings(bench.world(), { board: true }, one);
  return rowsNow(bench)[0] as Row;
};
const repair = (digest: string) => ({ repair: { digest: digest.repeat(64), lines: [] } });
const [early, late] = ['2026-01-06T08:00:00.000Z', '2026-01-06T09:00:00.000Z'];

describe('what a scan found, in its row', () => {
  it('shows what is live behind what the plan has there, and since when', async () => {
    const row = await found(openWorkbench(), findings('s1', 1, early, [line('a', [drifted('x')])], repair('a')));
    expect(row.drift).toMatchObject({
      digest: 'a'.repeat(64),
      counts: { changed: 1 },
      resources: [{ line: 'a', label: 'x', kind: 'changed', firstSeen: early, fields: [{ path: 'value', before: 'one', after: 'by hand' }] }],
    });
  });

  it('never replaces what a newer look found, whatever the clocks say (I11)', async () => {
    const bench = openWorkbench();
    const newer = findings('s2', 2, early, [line('a', [])]);
    expect((await found(bench, newer, findings('s1', 1, late, [line('a', [drifted('x')])], repair('a')))).drift).toBeUndefined();
    expect((await found(bench, findings('s3', 2, late, [line('a', [drifted('x')])], repair('a')))).drift?.run).toBe('s3');
  });

  it('keeps the run that first found the same, so that the box in front of people stays good', async () => {
    const bench = openWorkbench();
    const first = findings('s1', 1, early, [line('a', [drifted('x')])], repair('a'));
    expect((await found(bench, first, { ...first, run: 's2', asOf: { fence: 1, at: late } })).drift?.run).toBe('s1');
    expect((await found(bench, { ...first, run: 's3', asOf: { fence: 1, at: late }, ...repair('b') })).drift?.run).toBe('s3');
  });

  it('R2.9 leaves the row as it was where it could not look, and counts that', async () => {
    const bench = openWorkbench();
    const problem = { code: 'PROVIDER_TIMEOUT', message: 'nothing came' } as const;
    const failed = line('a', [drifted('x')], { looked: 'failed', failed: { step: 'check', problem, times: 3, since: early } });
    const row = await found(bench, findings('s1', 1, early, [line('a', [drifted('x')])], repair('a')), findings('s2', 1, late, [failed], repair('a')));
    expect(row.drift?.digest).toBe('a'.repeat(64));
    expect(row.check).toMatchObject({ code: 'PROVIDER_TIMEOUT', times: 3, since: early });
    const broken = findings('s3', 1, '2026-01-06T10:00:00.000Z', [], { problem: { code: 'PLAN_MISSING', message: 'There is no plan file.' } });
    expect(await found(bench, broken)).toMatchObject({ failed: { code: 'PLAN_MISSING' }, drift: { digest: 'a'.repeat(64) } });
  });

  it('R2.9 keeps what is pending of a line that a run was in the way of, and takes what is new of the others once all were seen', async () => {
    const bench = openWorkbench();
    const { drifted: _drifted, ...wanted } = drifted('x');
    const pending = line('a', [{ ...wanted, pending: true }]);
    const first = findings('s1', 1, early, [pending, line('b', [])], { apply: { digest: 'c'.repeat(64), lines: [] } });
    const busy = await found(bench, first, findings('s2', 1, late, [line('a', [], { looked: 'busy' }), line('b', [])]));
    expect(busy).toMatchObject({ pending: { run: 's1', digest: 'c'.repeat(64) }, seen: { run: 's1' } });
    const seen = await found(bench, findings('s3', 1, late, [line('a', []), line('b', [])]));
    expect(seen).toMatchObject({ seen: { run: 's3' } });
    expect(seen.pending).toBeUndefined();
  });

  it('R2.6 of some lines says nothing of what is pending, and of drift only where it saw all of it', async () => {
    const bench = openWorkbench();
    await found(bench, findings('s1', 1, early, [line('a', [drifted('x')]), line('b', [drifted('y')])], repair('a')));
    const partly = await found(bench, findings('s2', 1, late, [line('a', [])], { partial: true }));
    expect(partly.drift?.counts).toEqual({ changed: 2 });
    const all = await found(bench, findings('s3', 1, late, [line('a', []), line('b', [drifted('y')])], { partial: true, ...repair('b') }));
    expect(all.drift).toMatchObject({ counts: { changed: 1 }, digest: 'b'.repeat(64) });
  });

  it('R2.18, R2.25 counts a resource that has something pending, too, in that box alone, and names it there', async () => {
    const both = { ...drifted('x'), pending: true as const };
    const boxes = { ...repair('a'), apply: { digest: 'c'.repeat(64), lines: [] } };
    const row = await found(openWorkbench(), findings('s1', 1, early, [line('a', [both, drifted('y')])], boxes));
    expect(row.drift).toMatchObject({ counts: { changed: 1 }, resources: [{ label: 'y' }] });
    expect(row.pending?.changes).toMatchObject([{ line: 'a', change: { label: 'x' }, drifted: 'changed', firstSeen: early }]);
  });

  it('R2.6, R2.18 tells below what is pending what some lines alone show of it, and is not sure of a row that does not know it', async () => {
    const bench = openWorkbench();
    const { drifted: _drifted, firstSeen: _firstSeen, ...wanted } = drifted('x');
    const boxes = { apply: { digest: 'c'.repeat(64), lines: [] } };
    await found(bench, findings('s1', 1, early, [line('a', [{ ...wanted, pending: true }])], boxes));
    const both = line('a', [{ ...drifted('x'), pending: true }]);
    expect((await found(bench, findings('s2', 1, late, [both], { partial: true }))).pending).toMatchObject({
      digest: 'c'.repeat(64),
      changes: [{ change: { label: 'x' }, drifted: 'changed', firstSeen: early }],
    });
    const clean = line('a', [{ ...wanted, pending: true }]);
    const again = await found(bench, findings('s3', 1, late, [clean], { partial: true }));
    expect(again.pending?.changes[0]).not.toHaveProperty('drifted');
    const nobodyLooked = await found(openWorkbench(), findings('s4', 1, late, [both], { partial: true }));
    expect([nobodyLooked.unsure, nobodyLooked.drift]).toEqual([true, undefined]);
  });

  it('R2.30 is nowhere where the run has no row', async () => {
    const bench = openWorkbench();
    await noteFindings(bench.world(), {}, findings('s1', 1, early, [line('a', [drifted('x')])], repair('a')));
    expect(bench.memory.items()).toEqual([]);
  });
});
