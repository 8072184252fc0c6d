import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { changeOf, lineOf, reportOf } from '../../test/reports/report.ts';
import type { PlanStale, ReportedDecision, RunReport } from '../run/report.ts';
import { decisionText, stopText, whoMayDecide } from './approval.ts';
import { renderCheck } from './check.ts';
import { renderComment } from './comment.ts';
import { LONGEST_STATUS_BLOCK, statusJson } from './status-block.ts';
import { renderTerminal } from './terminal.ts';

const digest = '3f2a9c81e4d0b6a7'.repeat(4);
const next = '9e1d5b7c0a24f368'.repeat(4);
const question = { digest, expiresAt: '2026-03-02T09:30:00.000Z' };
const stop: PlanStale = { round: 1, step: 'guard', cause: 'state', approved: digest, replanned: next, differs: true };
const approval: ReportedDecision = { verdict: 'approve', person: 'kim', standing: 'unverified, self', at: '2026-03-01T10:00:00.000Z' };
const creates = lineOf('db', { status: 'create', changes: [changeOf('branch:main', { fields: [] })] });
const asks = (changes: Partial<RunReport> = {}): RunReport => reportOf({ status: 'awaiting', question, lines: [creates], ...changes });

const commands = { approve: `lockkeeper approve ${digest.slice(0, 12)} --sim`, reject: `lockkeeper reject ${digest.slice(0, 12)} --sim` };
const terminal = (report: RunReport, width = 80) => renderTerminal(report, { colour: false, width, commands });

describe('in words', () => {
  it.each<[Partial<PlanStale>, string]>([
    [{}, 'The state that is managed moved after plan 3f2a9c81e4d0 was approved. Planned again as 9e1d5b7c0a24: what it would do is different.'],
    [
      { differs: false },
      'The state that is managed moved after plan 3f2a9c81e4d0 was approved. Planned again as 9e1d5b7c0a24: the same changes, over what has moved.',
    ],
    [
      { cause: 'drift', step: 'db' },
      'What line db would change moved after plan 3f2a9c81e4d0 was approved. Planned again as 9e1d5b7c0a24: what it would do is different.',
    ],
    [
      {
        different: [
          { line: 'vars', resource: 'PAYMENT', what: 'new' },
          { line: 'db', resource: 'y', what: 'changed' },
          { line: 'db', resource: 'x', what: 'gone' },
        ],
      },
      'The state that is managed moved after plan 3f2a9c81e4d0 was approved. Planned again as 9e1d5b7c0a24: what it would do is different: vars, PAYMENT is new; db, y is to be done otherwise; db, x has nothing left to be done.',
    ],
    [
      { differs: false, moved: [{ address: '["vercel",[],"env:HOST"]', paths: ['value'] }] },
      'The state that is managed moved after plan 3f2a9c81e4d0 was approved. Planned again as 9e1d5b7c0a24: the same changes, where other values are seen: env:HOST, value.',
    ],
    [{ replanned: null, differs: null }, 'The state that is managed moved after plan 3f2a9c81e4d0 was approved. It was not planned again.'],
  ])('a stop %j', (changes, text) => {
    expect(stopText({ ...stop, ...changes }, stop.round)).toBe(text);
  });

  it('a stop after which the plan made anew was refused', () => {
    expect(stopText({ ...stop, replanned: null, differs: null }, stop.round + 1)).toMatch(/It was planned again, and that plan cannot be applied\.$/);
  });

  it('a decision says who, of which standing, which plan and when', () => {
    expect(decisionText(approval, question)).toBe('kim (unverified, self) approved plan 3f2a9c81e4d0 at 2026-03-01 10:00 UTC');
    expect(decisionText({ ...approval, verdict: 'reject', standing: 'verified' }, undefined)).toBe('kim rejected the plan at 2026-03-01 10:00 UTC');
  });

  it('who may decide is whom policy names, else who may maintain the repository', () => {
    expect(whoMayDecide(question)).toMatch(/^whoever has maintain or admin on the repository; not the author/);
    expect(whoMayDecide({ ...question, approvers: ['kim', 'lou'] })).toMatch(/^kim, lou; not the author/);
    expect(whoMayDecide({ ...question, approvers: [] })).toBe('nobody: policy names no approver');
  });
});

describe('a plan that waits for an answer', () => {
  it('is shown at a terminal with its digest, until when, and what to type, none of it broken', () => {
    expect(terminal(asks(), 40)).toContain(`
Asks for an approval of exactly this:
  Plan     3f2a9c81e4d0
  Digest   ${digest}
  Until    2026-03-02 09:30 UTC
  Approve  lockkeeper approve 3f2a9c81e4d0 --sim
  Reject   lockkeeper reject 3f2a9c81e4d0 --sim

Waits for approval: create 1. 0 resources managed;`);
  });

  it.each(['comment', 'check'] as const)('is shown in the %s with digest, expiry, who may decide, and what to type', (surface) => {
    const text = surface === 'comment' ? renderComment(asks()).body : renderCheck(asks()).summary;
    for (const part of [
      digest,
      '`3f2a9c81e4d0`',
      '2026-03-02 09:30 UTC',
      'maintain or admin',
      'lockkeeper approve 3f2a9c81e4d0',
      'lockkeeper reject 3f2a9c81e4d0',
    ])
      expect(text).toContain(part);
  });

  it.each([
    ['destroy', {}, '**Asks for an approval to destroy**', 'Destroy waits for approval: delete 2'],
    ['prune', {}, '**Asks for an approval to prune**', 'Prune waits for approval: delete 2'],
    ['prune', { undoes: 'cff5f27b9268a0' }, '**Asks for an approval to undo** what run `cff5f27b9268`', 'Undo waits for approval: delete 2'],
  ] as const)('that takes away (%s) says so, and names everything it deletes before anything else', (kind, more, asks_, title) => {
    const gone = (key: string, label: string) => changeOf(key, { kind: 'delete', label });
    const lines = [
      lineOf('invite', { status: 'unchanged' }),
      lineOf('vars', { status: 'delete', changes: [gone('env:production:*:A', 'Vercel variable A'), gone('env:production:*:B', 'Vercel variable B')] }),
    ];
    const report = asks({ kind, lines, ...more });
    for (const text of [renderComment(report).body, renderCheck(report).summary]) {
      expect(text).toContain(asks_);
      expect(text).toContain('- 🗑️ **Deletes 2 resources:**\n  - `Vercel variable A`\n  - `Vercel variable B`\n- ');
      expect(text.indexOf('Vercel variable B')).toBeLessThan(text.indexOf(digest.slice(0, 12)));
      expect(text).not.toMatch(/<details>|env:production/);
    }
    expect(renderCheck(report).title).toBe(title);
    expect(renderCheck({ ...report, status: 'rejected' }).title).toBe(`${title.split(' ')[0]} rejected, nothing written`);
  });

  it('says what leaves the plan and stays, and types its commands for the stack that asks', () => {
    const drift = [
      { kind: 'orphan', adapter: 'clerk', op: 'redirect_allow', resource: { key: 'redirect:x', label: 'Clerk redirect x' }, message: '' },
    ] as const;
    const { body } = renderComment({ ...asks({ drift }), stack: 'releases' });
    expect(body).toContain('No line wants any more, and left where it is until a prune: `Clerk redirect x`');
    expect(body).toContain(`\`lockkeeper approve ${digest.slice(0, 12)} --stack releases\``);
  });

  it('keeps its question in a comment that is too long for its lines', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => lineOf(`line-${at}`, { status: 'create', changes: [changeOf(`key-${at}`)] }));
    const { body } = renderComment(asks({ lines: many }));
    expect(body.length).toBeLessThan(60_001);
    expect(body).toContain(digest);
  });

  it('is told to programs in the status block', () => {
    expect(JSON.parse(statusJson(asks({ stops: [stop] })))).toMatchObject({ status: 'awaiting', question, stale: { cause: 'state', replanned: next } });
  });

  it('says how often the world moved before, on every surface', () => {
    const report = asks({ stops: [stop, { ...stop, round: 2, step: 'db', cause: 'drift' }] });
    for (const text of [terminal(report, 400), renderComment(report).body, renderCheck(report).summary]) {
      expect(text).toContain('The state that is managed moved after plan 3f2a9c81e4d0 was approved.');
      expect(text).toContain('What line db would change moved');
    }
  });
});

describe('a run that people decided on', () => {
  it.each(['complete', 'rejected', 'failed'] as const)('that is %s names them on every surface', (status) => {
    const report = reportOf({ status, question, decisions: [approval], lines: [lineOf('db')] });
    for (const text of [terminal(report, 400), renderComment(report).body, renderCheck(report).summary]) {
      expect(text).toContain('kim (unverified, self) approved plan 3f2a9c81e4d0');
      expect(text).not.toContain('lockkeeper approve');
    }
    expect(JSON.parse(statusJson(report))).toMatchObject({ decisions: [{ verdict: 'approve', person: 'kim', standing: 'unverified, self' }] });
  });
});

describe('a problem of the run that one of its lines tells', () => {
  const problem = { code: 'SECRET_UNRESOLVED', message: 'the variable DSN is not set' } as const;
  const report = reportOf({ status: 'failed', problem, lines: [lineOf('db', { status: 'failed', problem })] });

  it.each([
    ['terminal', (one: RunReport) => terminal(one, 400)],
    ['comment', (one: RunReport) => renderComment(one).body],
    ['check', (one: RunReport) => renderCheck(one).summary],
  ])('is told once on the %s', (_, render) => {
    expect(render(report).split(problem.message)).toHaveLength(2);
    expect(render({ ...report, lines: [] }).split(problem.message)).toHaveLength(2);
  });
});

it('lets no foreign name in a question, stop or decision leave its place', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const report = asks({
        question: { ...question, approvers: [text] },
        stops: [{ ...stop, step: text, cause: 'drift' }],
        decisions: [{ ...approval, person: text }],
      });
      const shown = terminal(report, 1_000_000);
      expect(shown).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      expect(shown.split('\n')).toHaveLength(terminal(asks({ stops: [stop], decisions: [approval] }), 1_000_000).split('\n').length);
      for (const markdown of [renderComment(report).body, renderCheck(report).summary]) expect(markdown).not.toMatch(/<img|<\/details>(?!\n)|@acme|!\[/);
      expect(statusJson(report).length).toBeLessThanOrEqual(LONGEST_STATUS_BLOCK);
    }),
  );
});
