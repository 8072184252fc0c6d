import { describe, expect, it } from 'vitest';
import { comparePlans } from './compare-plans.ts';
import type { Effect } from './effect.ts';
import type { PlanDocument, PlannedLine } from './plan-document.ts';

const of = (mac: string) => ({ key: 'k', mac });
const update = (key: string, after: string): Effect => ({
  address: JSON.stringify(['x', [], key]),
  action: 'update',
  paths: [{ path: 'value', before: of('0'), after: of(after) }],
  before: of('0'),
  after: of(after),
  waitsFor: [],
});
const line = (id: string, effects: readonly Effect[], more: Partial<PlannedLine> = {}): PlannedLine => ({ id, adapter: 'x', op: 'things', effects, ...more });
const plan = (lines: readonly PlannedLine[], more: Partial<PlanDocument> = {}): PlanDocument => ({
  format: 2,
  repository: '7',
  plan: { name: 'main', path: 'release.plan.yaml', hash: 'h' },
  environment: 'production',
  scope: 'main',
  commit: 'one',
  state: [{ line: 'a', version: '1' }],
  lines,
  warnings: [],
  ...more,
});

describe('two plans held against each other', () => {
  it('are the same to the byte, or only in what they would do (R4.8)', () => {
    const lines = [line('a', [update('r', '1')])];
    expect(comparePlans(plan(lines), plan(lines))).toMatchObject({ same: true, sameEffects: true, head: [], state: [], resources: [], told: [] });
    const moved = comparePlans(plan(lines), plan(lines, { state: [{ line: 'a', version: '2' }], commit: 'two' }));
    expect(moved).toMatchObject({ same: false, sameEffects: true, head: ['commit'], state: [{ line: 'a', what: 'changed' }], resources: [] });
  });

  it('name each resource with what is done to it in either, and a value that moved under the same action (R4.9, R4.10)', () => {
    const replace: Effect = { ...update('s', '1'), action: 'replace', order: ['delete', 'create'] };
    const earlier = plan([line('a', [update('r', '1'), update('s', '1'), update('gone', '1')])]);
    const later = plan([line('a', [update('r', '2'), replace, update('new', '1')])]);
    expect(comparePlans(earlier, later).resources).toEqual([
      { line: 'a', resource: 's', what: 'changed', before: ['update'], after: ['delete', 'create'], paths: [] },
      { line: 'a', resource: 'new', what: 'new', before: [], after: ['update'], paths: ['value'] },
      { line: 'a', resource: 'gone', what: 'gone', before: ['update'], after: [], paths: ['value'] },
      { line: 'a', resource: 'r', what: 'moved', before: ['update'], after: ['update'], paths: ['value'] },
    ]);
  });

  it('say where something else is told: lines of the ledger, drift, what is kept, warnings', () => {
    const earlier = plan([line('a', [], { ignored: ['value'] }), line('b', [])], { state: [{ line: 'old', version: '1' }], warnings: ['SECRET_SHORT'] });
    const later = plan([line('a', []), line('b', [], { drift: [{ kind: 'missing', resource: 'r' }] })]);
    expect(comparePlans(earlier, later)).toMatchObject({
      sameEffects: true,
      state: [
        { line: 'a', what: 'new' },
        { line: 'old', what: 'gone' },
      ],
      told: [{ line: 'a', what: 'ignored' }, { line: 'b', what: 'drift' }, { what: 'warnings' }],
    });
  });

  it('of the first format are compared with those of the second', () => {
    const { warnings: _none, ...first } = plan([line('a', [update('r', '1')])]);
    const found = comparePlans({ ...first, format: 1 }, plan([line('a', [update('r', '1'), { ...update('s', '1'), action: 'no-op', paths: [] }])]));
    expect(found).toMatchObject({ same: false, sameEffects: true, resources: [] });
  });
});
