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
