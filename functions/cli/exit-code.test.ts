import { expect, it } from 'vitest';
import { lineOf, reportOf } from '../../test/reports/report.ts';
import { exitOfReport, problemOfReport } from './exit-code.ts';

const param = { code: 'PARAM_INVALID', message: 'm' } as const;

it.each([
  ['complete', 0],
  ['partial', 0],
  ['superseded', 0],
  ['stale', 0],
  ['failed', 1],
  ['fenced-out', 3],
  ['awaiting', 2],
  ['rejected', 1],
  ['expired', 1],
] as const)('a run that is %s exits with %i', (status, exit) => {
  expect(exitOfReport(reportOf({ status, lines: [lineOf('a', { status: 'applied' })] }))).toBe(exit);
});

it.each([
  ['LOCK_HELD', 3],
  ['ENV_NOT_APPROVED', 2],
  ['PLAN_INVALID', 2],
  ['INTERNAL', 1],
] as const)('a run that stopped on %s before any line exits with %i', (code, exit) => {
  expect(exitOfReport(reportOf({ status: 'failed', lines: [], problem: { code, message: 'm' } }))).toBe(exit);
});

it('a stale or superseded run exits with 0 although it says why', () => {
  expect(exitOfReport(reportOf({ status: 'stale', lines: [], problem: { code: 'STALE', message: 'm' } }))).toBe(0);
});

it('a line that fails makes 1, whatever its code would make of a command', () => {
  const report = reportOf({ status: 'failed', problem: param, lines: [lineOf('a', { status: 'failed', problem: param })] });
  expect(exitOfReport(report)).toBe(1);
  expect(problemOfReport(report)).toEqual(param);
});

it('the reason is the run’s own, else that of the line that failed, not of one it held up', () => {
  const blocked = lineOf('a', { status: 'blocked', problem: { code: 'DEPENDENCY_BLOCKED', message: 'b' } });
  const broken = lineOf('b', { status: 'error', problem: param });
  expect(problemOfReport(reportOf({ status: 'failed', lines: [blocked, broken] }))).toEqual(param);
  expect(problemOfReport(reportOf({ status: 'failed', lines: [] }))).toMatchObject({ code: 'INTERNAL' });
});

const here = { sim: true, local: false, stateDir: '.lockkeeper' };

const question = { digest: '3f2a9c81e4d0b6a7'.repeat(4), expiresAt: '2026-03-02T09:30:00.000Z' };

it('a run that waits for an answer says what to type', () => {
  expect(problemOfReport(reportOf({ status: 'awaiting', question }), here)).toEqual({
    code: 'ENV_NOT_APPROVED',
    message: 'Nobody has approved plan 3f2a9c81e4d0 yet.',
    hint: 'Type `lockkeeper approve 3f2a9c81e4d0 --sim` or `lockkeeper reject 3f2a9c81e4d0 --sim`.',
  });
});

it('a run that is approved and frozen says so, and how it goes on there', () => {
  const frozen = { environment: 'production', reason: 'year end', until: '2026-03-02T08:00:00.000Z', by: 'ada' };
  const kept = reportOf({ status: 'awaiting', frozen, question: { ...question, approvedBy: ['kim'], required: 1 } });
  const message = 'Plan 3f2a9c81e4d0 is approved, and production is frozen until 2026-03-02 08:00 UTC by ada: year end.';
  const ends = '`lockkeeper unfreeze production` ends it before.';
  const next = 'When that is over, the next command here that sets something going lets it go on.';
  expect(problemOfReport(kept, here)).toEqual({ code: 'FROZEN', message, hint: `${next} ${ends}` });
  expect(problemOfReport(kept, { ...here, sim: false, stack: 'lockkeeper' })).toEqual({ code: 'FROZEN', message, hint: `It goes on by itself then. ${ends}` });
  expect(problemOfReport(reportOf({ status: 'awaiting', frozen, question }), here)).toMatchObject({ code: 'ENV_NOT_APPROVED' });
});

it('a run that was rejected says by whom, one that expired that nobody answered, and both how to ask again', () => {
  const decisions = [{ verdict: 'reject', person: 'kim', standing: 'verified', at: '2026-03-01T10:00:00.000Z' }] as const;
  const hint = expect.stringContaining('lockkeeper retry 5d41402abc4b');
  expect(problemOfReport(reportOf({ status: 'rejected', question, decisions }))).toEqual({
    code: 'REJECTED',
    message: 'kim rejected plan 3f2a9c81e4d0.',
    hint,
  });
  expect(problemOfReport(reportOf({ status: 'expired', question }))).toEqual({ code: 'EXPIRED', message: 'Nobody approved plan 3f2a9c81e4d0 in time.', hint });
});
