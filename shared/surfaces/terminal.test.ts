import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { changeOf, example, lineOf, reportOf } from '../../test/reports/report.ts';
import type { PlanStale } from '../run/report.ts';
import { renderTerminal } from './terminal.ts';

const wide = { colour: false, width: 400 };

const golden = `Lockkeeper apply of release.plan.yaml in preview, scope pr-42, commit 6dcb09b
Apply failed at database-url (DRIFT_CHANGED), 1 update not undone.

- preview-db    neon.branch  rolled back
    + branch:feat/checkout
        name: (none) → "feat/checkout"
! database-url  vercel.env  blocked
    ~ DATABASE_URL
        value: (sensitive) → (sensitive ← preview-db.connection_uri)
        comment: "old" → (pending ← deploy.url)
    DRIFT_CHANGED: DATABASE_URL was edited outside since the last run. Run again
    with --reconcile.
? auth          clerk.redirect_allow  skipped, waits for line database-url
= flags         vercel.env  unchanged

Drift:
  - DATABASE_URL edited outside (line database-url): edited by somebody

Not undone, these updates stand:
  - flags: FEATURE_X stays at "on"

Warnings:
  - SECRET_SHORT: PIN has fewer than four characters. Use a longer value.

Apply failed at database-url (DRIFT_CHANGED), 1 update not undone. 1 resource managed; run 5d41402abc4b2a76b9719d911017c592.
`;

describe('the terminal', () => {
  it('shows a report like this', () => {
    expect(renderTerminal(example, { colour: false, width: 80 })).toBe(golden);
  });

  it('says the same with colours, and no escape sequence without', () => {
    const coloured = renderTerminal(example, { colour: true, width: 80 });
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(golden);
  });

  it('names the problem of the run with what to do next', () => {
    const text = renderTerminal(reportOf({ status: 'failed', problem: { code: 'ENV_NOT_APPROVED', message: 'production is protected.' } }), {
      colour: false,
      width: 200,
    });
    expect(text).toMatch(/! ENV_NOT_APPROVED: production is protected\. .+\n\nRefused where people approve first, nothing written\./);
  });

  it('says first that nothing of it was done when a plan was rejected, and calls no line created', () => {
    const report = reportOf({ status: 'rejected', lines: [lineOf('db', { status: 'create', changes: [changeOf('branch:live')] })] });
    const rows = renderTerminal(report, { colour: false, width: 80 }).split('\n');
    expect(rows.slice(1, 4)).toEqual(['Rejected, nothing written.', '', '= db  vercel.env  not done (create)']);
  });

  it('says first that what was approved has moved, in the names of the plan, and in the past once it is over', () => {
    const [before, now] = ['a'.repeat(64), 'b'.repeat(64)];
    const stop: PlanStale = {
      round: 1,
      step: 'guard',
      cause: 'drift',
      approved: before,
      replanned: now,
      differs: false,
      moved: [{ address: JSON.stringify(['neon', 'branch', 'env:production:*:MODE']), paths: ['values.MODE'] }],
    };
    const change = changeOf('env:production:*:MODE', { kind: 'update', label: 'Vercel variable MODE (production)' });
    const moved = { round: 2, stops: [stop], question: { digest: now, expiresAt: '2026-03-02T09:30:00.000Z' } };
    const asked = renderTerminal(reportOf({ status: 'awaiting', ...moved, lines: [lineOf('vars', { status: 'update', changes: [change] })] }), wide);
    expect(asked.split('\n')[1]).toBe(
      'Nothing of plan aaaaaaaaaaaa, which was approved, was applied: what it would write has moved. Look, and answer plan bbbbbbbbbbbb.',
    );
    expect(asked).toContain('Stopped instead of applying what nobody has seen:');
    const ended = renderTerminal(reportOf({ ...moved, lines: [lineOf('vars', { changes: [change] })] }), wide);
    expect(ended).toContain('Earlier in this run, stopped instead of applying what nobody had seen:');
    expect(ended.split('\n')[1]).toBe('');
  });

  it('gives each of several ways on a row, and its command one of its own, whole', () => {
    const hint =
      'Put the plan back: `lockkeeper reconcile variables --env production --branch main --sim`. Leave it for now: `lockkeeper accept variables --until 7d`.';
    const problem = { code: 'DRIFT_CHANGED' as const, message: 'MODE was edited outside.', hint };
    const text = renderTerminal(reportOf({ status: 'failed', lines: [lineOf('variables', { status: 'blocked', problem })] }), { colour: false, width: 60 });
    expect(text).toContain(`
    DRIFT_CHANGED: MODE was edited outside.
    Put the plan back:
      lockkeeper reconcile variables --env production --branch main --sim
    Leave it for now:
      lockkeeper accept variables --until 7d
`);
  });

  it.each([
    ['ends first', '2026-03-02T08:00:00.000Z', /Then +What is approved waits until then\./],
    [
      'outlasts the question',
      '2026-03-09T08:00:00.000Z',
      /Then +The question runs out before that, at 2026-03-02 09:30 UTC.*\n +lockkeeper retry 5d41402abc4b\n/,
    ],
  ])('a freeze that %s', (_, until, says) => {
    const frozen = { environment: 'production', reason: 'year end', until, by: 'ada' };
    const question = { digest: 'b'.repeat(64), expiresAt: '2026-03-02T09:30:00.000Z' };
    expect(renderTerminal(reportOf({ status: 'awaiting', frozen, question }), wide)).toMatch(says);
    const kept = renderTerminal(reportOf({ status: 'awaiting', frozen, question: { ...question, approvedBy: ['kim'] } }), {
      ...wide,
      asTyped: (text) => text.replace(/`$/, ' --sim`'),
    });
    expect(kept).toContain('  Unfreeze lockkeeper unfreeze production --sim\n  Withdraw lockkeeper withdraw bbbbbbbbbbbb --sim\n');
  });

  it('names every mistake of a file, each with its place', () => {
    const mistakes = [3, 7].map((line) => ({
      code: 'POLICY_INVALID' as const,
      message: `mistake in line ${line}`,
      at: { file: 'lockkeeper.yaml', line, column: 5 },
    }));
    const [first] = mistakes;
    const report = reportOf({
      status: 'failed',
      lines: [],
      problem: { code: 'POLICY_INVALID', message: 'mistake in line 3', ...first, details: { problems: mistakes } },
    });
    const text = renderTerminal(report, { colour: false, width: 200 });
    expect(text).toContain('! lockkeeper.yaml:3:5: POLICY_INVALID: mistake in line 3. ');
    expect(text).toContain('! lockkeeper.yaml:7:5: POLICY_INVALID: mistake in line 7. ');
  });

  it('lets no foreign text move the cursor, start a line or change a colour', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const lines = [lineOf(`x${a}`, { status: 'failed', problem: { code: 'INTERNAL', message: b }, changes: [changeOf(a, { label: `y${b}` })] })];
        const text = renderTerminal(reportOf({ status: 'failed', lines, notUndone: [a] }), { colour: false, width: 1_000_000 });
        expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
        expect(text.split('\n')).toHaveLength(12);
      }),
    );
  });
});
