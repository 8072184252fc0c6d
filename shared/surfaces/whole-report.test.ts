import { describe, expect, it } from 'vitest';
import { openWorkbench } from '../../test/ports/workbench.ts';
import type { RunReport } from '../run/report.ts';
import { wholeReport } from './whole-report.ts';

async function stored(): Promise<RunReport> {
  const bench = openWorkbench();
  const { id } = await bench.release(7, 'one', [{ id: 'a', things: { a: '1' } }]);
  return bench.report(id);
}

describe('a stored report', () => {
  it('is shown as it is, with whatever a later version has added to it', async () => {
    const report = { ...(await stored()), added: 'later' };
    expect(wholeReport(report, 'It')).toBe(report);
  });

  it.each<[string, string, (report: RunReport) => object]>([
    ['a line without a status', 'lines.0.status', ({ lines: [first] }) => ({ lines: [{ ...first, status: undefined }] })],
    ['a line of a status that nobody knows', 'lines.0.status', ({ lines: [first] }) => ({ lines: [{ ...first, status: '__proto__' }] })],
    ['changes that are no list', 'lines.0.changes', ({ lines: [first] }) => ({ lines: [{ ...first, changes: '' }] })],
    ['a note that is no text', 'lines.0.notes.a', ({ lines: [first] }) => ({ lines: [{ ...first, notes: { a: null } }] })],
    ['a warning of a code that nobody knows', 'warnings.0', () => ({ warnings: [{ code: 'constructor', message: 'x' }] })],
    ['a time that is none', 'question.expiresAt', () => ({ question: { digest: 'd', expiresAt: 'soon' } })],
  ])('with %s is told to be damaged, and where', async (_what, at, change) => {
    const report = await stored();
    const damaged = { ...report, ...change(report) } as RunReport;
    expect(() => wholeReport(damaged, 'The report of run r')).toThrow(`The report of run r is damaged at ${at}: it cannot be shown.`);
  });
});
