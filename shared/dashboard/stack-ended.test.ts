import { expect, it } from 'vitest';
import type { Run } from '../run/items.ts';
import type { LineReport, RunReport } from '../run/report.ts';
import { withoutUndefined } from './ended.ts';
import { stackEnded } from './stack-ended.ts';

const source = { run: 'r2', commit: 'c2', asOf: { fence: 2, at: '2026-01-02T00:00:00Z' } };
const before = {
  drift: { ...source, digest: 'd'.repeat(64), counts: { changed: 1 }, resources: [] },
  pending: { ...source, digest: 'e'.repeat(64), counts: { update: 1 }, changes: [] },
};
const run = (more: object = {}) => ({ id: 'r2', commit: 'c2', options: {}, ...more }) as unknown as Run;
const report = (more: object = {}) =>
  ({ kind: 'apply', status: 'complete', finishedAt: '2026-01-02T00:00:00Z', lines: [], drift: [], ...more }) as unknown as RunReport;
const end = (status: string, live = true, problem?: object) => ({
  line: { id: 'net', status, ...(problem ? { problem } : {}) } as unknown as LineReport,
  live,
});
const after = (...[one, of = run(), told = report()]: [ReturnType<typeof end> | undefined, Run?, RunReport?]) =>
  withoutUndefined({ ...before, ...stackEnded(before, of, told, source, one) });

it('a stack that its tool planned from what is live is as it should be once it is applied', () => {
  expect(after(end('applied'))).toEqual({ seen: source, applied: { run: 'r2', commit: 'c2', at: '2026-01-02T00:00:00Z' } });
});

it('one that it planned from its state alone is still drifted, as far as anybody knows, and has no box until the next look (R2.10)', () => {
  const { drift, pending } = after(end('unchanged', false));
  expect(drift).toMatchObject({ counts: { changed: 1 } });
  expect(drift).not.toHaveProperty('digest');
  expect(pending).toBeUndefined();
});

it('one whose apply broke off leaves nobody sure of it, whatever became of the run’s other lines', () => {
  expect(after(end('failed', true, { code: 'TOOL_FAILED', message: 'x' }))).toMatchObject({ ...before, unsure: true, lastFailed: { code: 'TOOL_FAILED' } });
});

it('one that could not be planned says so; one that waits for another line, and one that a tick could not have, say nothing (R2.22)', () => {
  const locked = { code: 'TOOL_LOCKED', message: 'held' };
  expect(after(end('error', true, locked))).toMatchObject({ failed: { code: 'TOOL_LOCKED', message: 'held' } });
  expect(after(end('blocked', true, { code: 'DEPENDENCY_BLOCKED', message: 'x' }))).toEqual(before);
  expect(after(end('error', true, locked), run({ options: { ticked: { box: 'repair' } } }))).toEqual(before);
});

it('one of which the run says nothing keeps what was known, but where everything was taken away', () => {
  expect(after(undefined)).toEqual(before);
  expect(after(undefined, run(), report({ kind: 'destroy' }))).toEqual({ seen: source, unsure: true });
});
