import { expect, it } from 'vitest';
import { painter } from '../../../shared/surfaces/paint.ts';
import { reportOf } from '../../../test/reports/report.ts';
import { answerOfWithdrawal } from './withdraw.ts';

const screen = { paint: painter(false), colour: false, width: 80 };
const typed = { sim: true, local: false, stateDir: '.lockkeeper' };

it('whoever took their answer back is told so, and not that it is recorded, although the run has yet to hear of it', () => {
  const digest = 'ab'.repeat(32);
  const report = reportOf({
    status: 'awaiting',
    environment: 'production',
    question: { digest, expiresAt: '2026-01-05T12:00:00.000Z', approvedBy: ['kim'] },
    frozen: { environment: 'production', reason: 'year end', until: '2026-01-05T10:00:00.000Z', by: 'ada' },
  });
  const { exit, problem, text } = answerOfWithdrawal(report, typed, 'kim');
  expect({ exit, problem }).toEqual({ exit: 0, problem: undefined });
  const said = text(screen);
  expect(said).toMatch(/^You took back your answer to plan abababababab\. The question stays open until 2026-01-05 12:00 UTC; nothing is written\./);
  expect(said).toContain('lockkeeper approve abababababab --sim');
  expect(said).not.toMatch(/is recorded|Approved/);
});

it('what others approved stands', () => {
  const question = { digest: 'ab'.repeat(32), expiresAt: '2026-01-05T12:00:00.000Z', required: 2, approvedBy: ['Kim', 'ada'] };
  const { text } = answerOfWithdrawal(reportOf({ status: 'awaiting', question }), typed, 'kim');
  expect(text(screen)).toContain('Approved 1 of 2 (ada)');
});
