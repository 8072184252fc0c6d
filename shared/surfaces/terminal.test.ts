import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { changeOf, example, lineOf, reportOf } from '../../test/reports/report.ts';
import { renderTerminal } from './terminal.ts';

const golden = `Lockkeeper apply of release.plan.yaml in preview, scope pr-42, commit 6dcb09b

- preview-db    neon.branch  rolled back
    + branch:feat/checkout
        name: (none) → "feat/checkout"
- database-url  vercel.env  blocked
    ~ DATABASE_URL
        value: (sensitive) → (sensitive ← preview-db.connection_uri)
        comment: "old" → (pending ← deploy.url)
    DRIFT_CHANGED: DATABASE_URL was edited outside since the last run. Run again
    with --reconcile.
- auth          clerk.redirect_allow  skipped, waits for line database-url
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
        expect(text.split('\n')).toHaveLength(11);
      }),
    );
  });
});
