import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { changeOf, example, lineOf, reportOf } from '../../test/reports/report.ts';
import type { RunReport, RunStatus } from '../run/report.ts';
import { checkName, conclusionOf, renderCheck, renderInProgress, renderStillManaged } from './check.ts';
import { LONGEST_STATUS_BLOCK, type StatusBlock } from './status-block.ts';

/** The last fenced block of a text, as a program finds it. */
function blockOf(text: string): StatusBlock {
  const found = /\n```json\n([^\n]*)\n```\n$/.exec(text);
  expect(text.match(/^```/gm)).toHaveLength(2);
  expect(Buffer.byteLength(found?.[1] ?? '')).toBeLessThanOrEqual(LONGEST_STATUS_BLOCK);
  return JSON.parse(found?.[1] ?? '');
}

const asked = { digest: 'ab'.repeat(32), expiresAt: '2026-03-02T09:30:00.000Z' };

/** What a check shows of every status; the compiler sees to it that none is missing. While a run is at work its check is in progress. */
const everyStatus: Readonly<
  Record<RunStatus, { readonly changes?: Partial<RunReport>; readonly conclusion: string; readonly title: string; readonly buttons?: readonly string[] }>
> = {
  awaiting: {
    changes: { question: asked, lines: [lineOf('db', { status: 'create', changes: [changeOf('branch:live')] })] },
    conclusion: 'action_required',
    title: 'Waits for approval: create 1',
    buttons: ['Approve', 'Reject'],
  },
  complete: { conclusion: 'success', title: 'Nothing to change in 0 lines' },
  partial: { conclusion: 'neutral', title: 'Nothing new applied, more to come' },
  failed: { conclusion: 'failure', title: 'Apply failed, nothing written' },
  rejected: { conclusion: 'failure', title: 'Rejected, nothing written' },
  expired: { conclusion: 'timed_out', title: 'Nobody approved in time, nothing written' },
  cancelled: { conclusion: 'cancelled', title: 'Cancelled, nothing written' },
  superseded: { conclusion: 'neutral', title: 'Superseded, nothing written' },
  stale: { conclusion: 'neutral', title: 'Older than what is applied, nothing written' },
  'fenced-out': { conclusion: 'failure', title: 'Lost the lease; the run that took it goes on' },
};

describe('the check run', () => {
  it('is named for its environment, and for its plan when that is not the only one', () => {
    expect(checkName('main', 'preview')).toBe('lockkeeper / preview');
    expect(checkName('billing', 'preview')).toBe('lockkeeper / billing / preview');
  });

  it.each<[Partial<RunReport>, string]>([
    [{ status: 'complete' }, 'success'],
    [{ status: 'partial' }, 'neutral'],
    [{ status: 'failed' }, 'failure'],
    [{ status: 'failed', problem: { code: 'ENV_NOT_APPROVED', message: '' } }, 'action_required'],
    [{ status: 'superseded' }, 'neutral'],
    [{ status: 'stale' }, 'neutral'],
    [{ status: 'fenced-out' }, 'failure'],
  ])('of %j concludes %s', (changes, conclusion) => {
    expect(conclusionOf(reportOf(changes))).toBe(conclusion);
  });

  it.each(Object.entries(everyStatus))(
    'of a run that is %s shows this conclusion, title and buttons',
    (status, { changes = {}, conclusion, title, buttons = [] }) => {
      const check = renderCheck(reportOf({ status: status as RunStatus, ...changes }));
      expect([check.conclusion, check.title]).toEqual([conclusion, title]);
      expect((check.actions ?? []).map(({ label }) => label)).toEqual(buttons);
      for (const { label, description, identifier } of check.actions ?? []) {
        expect([label.length <= 20, description.length <= 40, identifier.length <= 20]).toEqual([true, true, true]);
      }
    },
  );

  it('offers to put back what was edited, where that is why lines were refused', () => {
    expect(renderCheck(example).actions).toMatchObject([{ label: 'Reconcile', identifier: 'reconcile' }]);
    expect(renderCheck({ ...example, kind: 'plan' }).actions).toEqual([]);
  });

  it('says what was refused above everything else, and nothing of it once the run has moved on', () => {
    const { summary } = renderCheck(reportOf({ status: 'awaiting', question: asked }), '⛔ mallory’s `approve` does not stand.');
    expect(summary.startsWith('⛔ mallory’s `approve` does not stand.\n⏳')).toBe(true);
  });

  it('says what went wrong in its summary and ends with JSON for programs', () => {
    const check = renderCheck(example);
    expect(check.title).toBe('Apply failed at database-url (DRIFT_CHANGED), 1 update not undone');
    expect(check.summary).toContain('- `database-url` blocked: **DRIFT_CHANGED**');
    expect(check.text).toContain('| ↩️ | `preview-db` | `neon.branch` | rolled back |');
    expect(blockOf(check.text)).toEqual({
      format: 1,
      run: example.run,
      kind: 'apply',
      status: 'failed',
      plan: 'main',
      environment: 'preview',
      scope: 'pr-42',
      commit: example.commit,
      managed: 1,
      lines: [
        { id: 'preview-db', status: 'rolled_back' },
        { id: 'database-url', status: 'blocked', code: 'DRIFT_CHANGED', hint: 'Run again with --reconcile.' },
        { id: 'auth', status: 'skipped', waitingOn: 'database-url' },
        { id: 'flags', status: 'unchanged' },
      ],
      omitted: 0,
    });
  });

  it('drops unchanged lines from the JSON first, and says how many', () => {
    const lines = [
      lineOf('a', { status: 'waiting', waitingFor: 'deploy' }),
      ...Array.from({ length: 500 }, (_, at) => lineOf(`same-${at}`, { status: 'unchanged' })),
    ];
    const block = blockOf(renderCheck(reportOf({ status: 'partial', lines })).text);
    expect(block.lines).toEqual([{ id: 'a', status: 'waiting', waitingFor: 'deploy' }]);
    expect(block.omitted).toBe(500);
  });

  it('of 10,000 lines stays within every limit and keeps the failed line in the JSON', () => {
    const lines = Array.from({ length: 10_000 }, (_, at) =>
      at === 9_000 ? lineOf('broken', { status: 'failed', problem: { code: 'PROVIDER_AUTH', message: 'no' } }) : lineOf(`line-${at}`),
    );
    const check = renderCheck(reportOf({ status: 'failed', lines }));
    const block = blockOf(check.text);
    expect(check.summary.length).toBeLessThanOrEqual(65_535);
    expect(check.text.length).toBeLessThanOrEqual(65_535);
    expect(block.lines.find((line) => line.id === 'broken')).toEqual({ id: 'broken', status: 'failed', code: 'PROVIDER_AUTH' });
    expect(block.lines.length + block.omitted).toBe(10_000);
  });

  it('holds valid JSON within 8 KiB whatever text goes in', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: hostile, waitingFor: hostile, hint: hostile })), hostile, fc.nat(3), (some, name, times) => {
        const lines = Array.from({ length: times * 20 }, () => some)
          .flat()
          .map(({ id, waitingFor, hint }) => lineOf(id, { status: 'failed', waitingFor, problem: { code: 'INTERNAL', message: id, hint } }));
        const check = renderCheck(reportOf({ status: 'failed', environment: name, scope: name.repeat(50), lines, plan: { name, path: name } }));
        const block = blockOf(check.text);
        expect(block.lines.length + block.omitted).toBe(lines.length);
        expect(check.title + check.name).not.toMatch(/[\n\p{Cf}\p{Cc}]/u);
      }),
    );
  });

  it('says at the start what is being done to which commit', () => {
    const open = renderInProgress({ plan: 'main', environment: 'preview', kind: 'destroy', run: 'abc', commit: example.commit });
    expect(open).toEqual({ name: 'lockkeeper / preview', title: 'Removing…', summary: 'Removing `6dcb09b`; run `abc`.' });
  });

  it('of a commit without a plan file names what is still managed, and concludes neutral', () => {
    const lines = [{ id: 'db', keys: ['branch:feat/x'] }];
    const check = renderStillManaged({
      plan: { name: 'main', path: 'release.plan.yaml' },
      environment: 'preview',
      scope: 'pr-42',
      commit: example.commit,
      ofPullRequest: true,
      lines,
    });
    expect(check.title).toBe('No plan file; 1 resource still managed');
    expect(check.conclusion).toBe('neutral');
    expect(check.text).toContain('- `branch:feat/x` (line `db`)');
    expect(blockOf(check.text)).toMatchObject({ format: 1, status: 'no-plan', managed: 1 });
  });
});
