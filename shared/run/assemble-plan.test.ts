import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plannedIn } from '../../test/ports/rounds.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import { canonicalJson } from '../approvals/canonical-json.ts';
import type { Effect } from '../approvals/effect.ts';
import { documentOf } from './assemble-plan.ts';
import type { LineResult, Run, RunLine } from './items.ts';
import type { DriftItem } from './report.ts';

const run = {
  id: 'first',
  intent: 'apply',
  repository: { id: '7101', owner: 'acme', name: 'shop' },
  plan: { name: 'main', path: 'release.plan.yaml', hash: 'a'.repeat(64) },
  environment: 'production',
  scope: 'main',
  commit: 'c'.repeat(40),
  startedAt: '2026-01-01T00:00:00.000Z',
  round: 1,
  version: 'v1',
  warnings: [
    { code: 'SECRET_SHORT', message: 'one' },
    { code: 'RECEIPTS_IGNORED', message: 'two' },
  ],
} as unknown as Run;

const effect = (key: string, action: Effect['action']): Effect => ({
  address: JSON.stringify(['x', [], key]),
  action,
  paths: [],
  before: { key: 'k', mac: `${key}-is` },
  waitsFor: [],
});
const drift = (key: string, kind: DriftItem['kind']): DriftItem => ({ kind, adapter: 'x', op: 'things', line: 'a', resource: { key }, message: 'at ten' });

const state = [
  { line: 'a', version: '1' },
  { line: 'b', version: '2' },
  { line: 'c', version: '3' },
];

interface Shuffle {
  readonly lines: readonly number[];
  readonly inside: readonly number[];
  readonly id: string;
  readonly at: string;
  readonly attempt: number;
}

/** A world, told in another order and by another run. */
function told({ lines, inside, id, at, attempt }: Shuffle) {
  const of = <T>(list: readonly T[]): T[] => inside.map((place) => list[place] as T);
  const line = (name: string, order: number): RunLine => {
    const result: LineResult = {
      status: 'update',
      changes: [],
      outputs: {},
      effects: of([effect('one', 'update'), effect('two', 'create'), effect('two', 'update')]),
      seen: of([effect('three', 'no-op'), effect('four', 'read'), effect('five', 'no-op')]),
      drift: of([drift('three', 'changed'), drift('six', 'unmanaged'), drift('three', 'unmanaged')]),
      notes: Object.fromEntries(of(['rotated', 'adopts', 'accepted']).map((note) => [note, `${note} of ${id} at ${at}`])),
    };
    const params = Object.fromEntries(of(['MODE', 'PLAN', 'KEY']).map((key) => [key, key === 'PLAN' ? 'literal' : { keep: true }]));
    const spec = { id: name, order, adapter: 'x', op: 'things', params: { values: params }, provider: {}, needs: [], dependants: [] } as RunLine['spec'];
    return { run: id, spec, round: attempt, phase: 'planning', attempt, until: attempt, result };
  };
  const shuffled = lines.map((place, order) => line('abc'[place] as string, order));
  const mine: Run = { ...run, id, startedAt: at, version: id, round: attempt, warnings: of([...(run.warnings ?? []), ...(run.warnings ?? [])].slice(0, 3)) };
  return canonicalJson(documentOf(mine, of(state), shuffled, ({ id }) => (id === 'b' ? 'production' : undefined)));
}

const places = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });

test('two runs over the same world make the same bytes, whatever the order of lines, table and provider, the time, the attempts and the ids', () => {
  const first = told({ lines: [0, 1, 2], inside: [0, 1, 2], id: 'first', at: '2026-01-01T00:00:00.000Z', attempt: 1 });
  expect(first).not.toContain('2026');
  expect(first).not.toContain('at ten');
  expect(JSON.parse(first)).toMatchObject({
    warnings: ['RECEIPTS_IGNORED', 'SECRET_SHORT'],
    lines: [
      { id: 'a', ignored: ['values.KEY', 'values.MODE'], warnings: ['accepted', 'adopts', 'rotated'] },
      { id: 'b', redeploys: 'production' },
      { id: 'c' },
    ],
  });
  fc.assert(
    fc.property(fc.record({ lines: places, inside: places, id: fc.uuid(), at: fc.date().map(String), attempt: fc.integer({ min: 1 }) }), (shuffle) => {
      expect(told(shuffle)).toBe(first);
    }),
    { seed: 4, numRuns: 200 },
  );
});

test('a run that is made later plans the same world under the same digest, and says what it found as it is', async () => {
  const bench = openWorkbench();
  bench.provider.edit('y', '2');
  bench.pull(7, 'one', [
    { id: 'b', things: { y: '2' } },
    { id: 'a', things: { x: '1' } },
  ]);
  const ask = async () => {
    const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
    await bench.quiet();
    return bench.run(id);
  };
  const earlier = await ask();
  bench.clock.advance(3_600_000);
  const later = await ask();
  expect(later.question?.digest).toBe(earlier.question?.digest);
  expect(later.id).not.toBe(earlier.id);
  expect(plannedIn(bench, later)).toMatchObject({
    format: 2,
    lines: [
      { id: 'a', effects: [{ action: 'create' }] },
      { id: 'b', effects: [{ action: 'no-op', paths: [] }] },
    ],
  });
});
