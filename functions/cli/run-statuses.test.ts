import { describe, expect, it } from 'vitest';
import type { CheckConclusion } from '../../shared/ports/code-host.ts';
import type { LineStatus, RunStatus } from '../../shared/run/report.ts';
import { conclusionOf } from '../../shared/surfaces/check.ts';
import { renderComment } from '../../shared/surfaces/comment.ts';
import { outcomeOf } from '../../shared/surfaces/outcome.ts';
import { lineOf, reportOf } from '../../test/reports/report.ts';
import { exitOfReport } from './exit-code.ts';

/** Exit code, conclusion and headline of each status a run ends with. The compiler sees to it that none is missing; each has a scenario (`test/scenarios/statuses.test.ts` names it). */
const statuses: Readonly<Record<RunStatus, readonly [exit: number, conclusion: CheckConclusion, headline: string]>> = {
  complete: [0, 'success', '✅ Nothing to change'],
  partial: [0, 'neutral', '⏳ Nothing new applied'],
  awaiting: [2, 'action_required', '⏳ Waits for approval'],
  failed: [1, 'failure', '❌ Apply failed'],
  rejected: [1, 'failure', '⛔ Rejected'],
  expired: [1, 'timed_out', '⏭️ Nobody approved in time'],
  cancelled: [1, 'cancelled', '⛔ Cancelled'],
  superseded: [0, 'neutral', '⏭️ Superseded'],
  stale: [0, 'neutral', '⏭️ Older than what is applied'],
  'fenced-out': [3, 'failure', '❌ Lost the lease'],
};

describe('each status that a run ends with', () => {
  it.each(Object.entries(statuses) as [RunStatus, (typeof statuses)[RunStatus]][])(
    '%s has one exit code, conclusion and headline: %j (R1.62, R1.111)',
    (status, expected) => {
      const [exit, conclusion, headline] = expected;
      const report = reportOf({ kind: 'apply', status, lines: [lineOf('a', { status: status === 'awaiting' ? 'create' : 'unchanged' })] });
      const { glyph, title } = outcomeOf(report);
      expect([exitOfReport(report), conclusionOf(report), `${glyph} ${title}`]).toEqual([exit, conclusion, expect.stringContaining(headline)]);
      expect(renderComment(report).body).toContain(title);
    },
  );

  it('is told from every other by its headline', () => {
    const told = Object.values(statuses).map(([, , headline]) => headline);
    expect(new Set(told).size).toBe(told.length);
  });
});

/** How a plan ends with a line of each status. */
const planned: Readonly<Record<string, number>> = { create: 0, update: 0, unchanged: 0, adopt: 0, pending: 0, todo: 0, run: 0, blocked: 1, error: 1 };

it.each(Object.entries(planned))('a plan with a line that is %s exits with %i (R1.40)', (status, exit) => {
  const report = reportOf({ kind: 'plan', status: exit === 0 ? 'complete' : 'failed', lines: [lineOf('a', { status: status as LineStatus })] });
  expect(exitOfReport(report)).toBe(exit);
});
