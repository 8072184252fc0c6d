import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostile } from '../../test/reports/hostile.ts';
import { changeOf, example, lineOf, reportOf } from '../../test/reports/report.ts';
import { LONGEST_COMMENT, markerOf, renderComment } from './comment.ts';

const golden = `<!-- lockkeeper: main/preview -->
### ❌ Lockkeeper, \`preview\`: Apply failed at database-url (DRIFT_CHANGED), 1 update not undone.

- \`database-url\` blocked: **DRIFT_CHANGED**: DATABASE_URL was edited outside since the last run. **Next:** Run again with --reconcile.

**Not undone**, these updates stand:
- flags: FEATURE_X stays at "on"

| | Line | Op | Status | What |
|---|---|---|---|---|
| ↩️ | \`preview-db\` | \`neon.branch\` | rolled back | create \`branch:feat/checkout\` |
| ⛔ | \`database-url\` | \`vercel.env\` | blocked | DRIFT_CHANGED |
| ⏭️ | \`auth\` | \`clerk.redirect_allow\` | skipped | waits for line \`database-url\` |
| ▫️ | \`flags\` | \`vercel.env\` | unchanged |  |

**Drift**
- \`DATABASE_URL\` edited outside (line \`database-url\`): edited by somebody

**Warnings**
- **SECRET_SHORT**: PIN has fewer than four characters. **Next:** Use a longer value.

<details>
<summary><code>preview-db</code>: 1 resource</summary>

| Resource | Attribute | Before | After |
|---|---|---|---|
| create \`branch:feat/checkout\` | \`name\` | *(none)* | \`feat/checkout\` |

</details>

<details>
<summary><code>database-url</code>: 1 resource</summary>

| Resource | Attribute | Before | After |
|---|---|---|---|
| update \`DATABASE_URL\` | \`value\` | *(sensitive)* | *(sensitive ← preview-db.connection_uri)* |
|  | \`comment\` | \`old\` | *(pending ← deploy.url)* |

</details>

<sub>Commit \`6dcb09b\` · run \`5d41402abc4b2a76b9719d911017c592\` · 1 resource managed in \`pr-42\`.</sub>
`;

const manyLines = (n: number, failing: number) =>
  Array.from({ length: n }, (_, at) =>
    lineOf(`line-${at}`, {
      status: at < failing ? 'failed' : 'applied',
      ...(at < failing ? { problem: { code: 'PROVIDER_INVALID' as const, message: `refused number ${at}` } } : {}),
      changes: [changeOf(`key-${at}`, { fields: [{ path: 'value', before: { state: 'absent' }, after: { state: 'literal', value: 'x'.repeat(150) } }] })],
    }),
  );

describe('the comment', () => {
  it('names every mistake of a plan file, each at its place', () => {
    const mistake = (line: number) => ({ code: 'PLAN_INVALID' as const, message: `mistake ${line}`, at: { file: 'release.plan.yaml', line, column: 3 } });
    const { body } = renderComment(reportOf({ status: 'failed', lines: [], problem: { ...mistake(4), details: { problems: [mistake(4), mistake(9)] } } }));
    for (const line of [4, 9]) expect(body).toContain(`**PLAN_INVALID** at \`release.plan.yaml:${line}:3\`: mistake ${line}`);
    expect(body.match(/mistake 4/g)).toHaveLength(1);
  });

  it('reads like this', () => {
    expect(renderComment(example).body).toBe(golden);
  });

  it('is the same bytes for the same report', () => {
    expect(renderComment(structuredClone(example))).toEqual(renderComment(example));
  });

  it('has one marker per plan and environment, which no name can break or imitate', () => {
    expect(markerOf('main', 'preview')).toBe('<!-- lockkeeper: main/preview -->');
    expect(markerOf('a/b', 'c')).not.toBe(markerOf('a', 'b/c'));
    expect(markerOf('--> @all <!--', '\uD800')).toMatch(/^<!-- lockkeeper: [\w%.!~*'()]+\/[\w%.!~*'()]+ -->$/);
  });

  it('names the plan when it is not the only one, the run it took over from, and what a destroy kept', () => {
    const { body } = renderComment(
      reportOf({ kind: 'destroy', plan: { name: 'billing', path: 'b.yaml' }, tookOver: 'aaaa', kept: ['the branch main (it was there before)'] }),
    );
    expect(body).toContain('(plan `billing`)');
    expect(body).toContain('took over the lease of run `aaaa`');
    expect(body).toContain('**Left alone**, and not managed any more:\n- the branch main (it was there before)');
  });

  it('shows no side of a change but literals', () => {
    const after = [{ state: 'secret', ref: 'env://TOKEN' }, { state: 'kept' }, { state: 'literal', value: '(secret)' }] as const;
    const fields = after.map((side, at) => ({ path: `p${at}`, before: { state: 'absent' } as const, after: side }));
    const { body } = renderComment(reportOf({ lines: [lineOf('a', { changes: [changeOf('k', { fields })] })] }));
    expect(body).toContain('| *(none)* | *(secret)* |');
    expect(body).toContain('| *(none)* | *(kept as it is)* |');
    expect(body).toContain('| *(none)* | `(secret)` |');
  });

  it('shows commands as code and times to the minute: both are copied as they stand', () => {
    const message = 'edited at 2026-11-30T17:05:14.249Z; line `vars` would write over it';
    const problem = { code: 'DRIFT_CHANGED', message, hint: 'Put it back: `lockkeeper reconcile vars --env production`.' } as const;
    const { body } = renderComment({ ...reportOf({ status: 'failed', lines: [lineOf('vars', { status: 'blocked', problem })] }), stack: 'releases' });
    expect(body).toContain('edited at 2026-11-30 17:05 UTC; line `vars` would write over it.');
    expect(body).toContain('`lockkeeper reconcile vars --env production --stack releases`, or the comment `/lockkeeper reconcile vars`.');
  });

  it('counts what a line does where it does more than one thing, and names all that it takes over', () => {
    const changes = [
      changeOf('a'),
      changeOf('b'),
      changeOf('c', { kind: 'update' }),
      changeOf('d', { adopts: true, kind: 'update' }),
      changeOf('e', { kind: 'delete' }),
    ];
    const { body } = renderComment(reportOf({ kind: 'plan', lines: [lineOf('same', { status: 'unchanged' }), lineOf('vars', { status: 'create', changes })] }));
    expect(body).toContain('| delete 1, adopt 1, update 1, create 2 | delete `e`, adopt `d`, create `a` and 2 more |');
    expect(body.indexOf('`same`')).toBeGreaterThan(body.indexOf('`vars`'));
  });

  it('lists a refusal once, not again for every line it holds up', () => {
    const held = lineOf('b', { status: 'blocked', waitingOn: 'a', problem: { code: 'DEPENDENCY_BLOCKED', message: 'a did not finish' } });
    const { body } = renderComment(
      reportOf({ status: 'failed', lines: [lineOf('a', { status: 'failed', problem: { code: 'PROVIDER_AUTH', message: 'no' } }), held] }),
    );
    expect(body.match(/DEPENDENCY_BLOCKED/g)).toBeNull();
  });

  it('of 300 lines loses details, says how many, and keeps headline, refusals and every row', () => {
    const { body } = renderComment(reportOf({ status: 'failed', lines: manyLines(300, 3) }));
    expect(body.length).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(body).toMatch(
      /Left out for length: the details of \d+ lines\. Read all of it with <code>lockkeeper receipt 5d41402abc4b --stack &lt;stack&gt;<\/code>/,
    );
    expect(body.match(/refused number/g)).toHaveLength(3);
    expect(body.match(/^\| (✅|❌) /gm)).toHaveLength(300);
    expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
  });

  it.each([0, 10, 10_000])('of 10,000 lines of which %i failed stays within its limit and begins with what failed', (failing) => {
    const { body } = renderComment(reportOf({ status: failing > 0 ? 'failed' : 'complete', lines: manyLines(10_000, failing) }));
    expect(body.length).toBeLessThanOrEqual(LONGEST_COMMENT);
    expect(body).toContain('### ');
    expect(body.match(/refused number/g)?.length ?? 0).toBeGreaterThanOrEqual(Math.min(failing, 100));
    expect(body).toContain('rows of the table');
    expect(body).toMatch(/<sub>Commit .*<\/sub>\n$/);
  });

  it('stays ours whatever text goes in: one marker, one comment, no mention, no foreign tag, balanced folds', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 12, maxLength: 12 }),
        ([a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = '', k = '', l = '']) => {
          const side = { state: 'literal', value: a } as const;
          const change = changeOf(b, { label: c, fields: [{ path: d, before: side, after: { state: 'pending', ref: e } }] });
          const report = reportOf({
            status: 'failed',
            environment: f,
            plan: { name: g, path: g },
            scope: h,
            lines: [
              lineOf(i, { status: 'failed', op: j, changes: [change], problem: { code: 'INTERNAL', message: k, hint: l }, notes: { [a]: b } }),
              lineOf(c, { status: 'waiting', waitingFor: d }),
            ],
            drift: [{ kind: 'changed', adapter: e, op: f, line: g, resource: { key: h }, message: i }],
            warnings: [{ code: 'YAML_ANCHOR', message: j, at: { file: k, line: 1, column: 1 } }],
            notUndone: [l],
            kept: [a],
          });
          const { marker, body } = renderComment(report);
          expect(body.split(marker)).toHaveLength(2);
          expect(body.match(/<!--/g)).toHaveLength(1);
          const tags = body.slice(marker.length).match(/<[^>]*>?/g) ?? [];
          expect(tags.filter((tag) => !/^<\/?(details|summary|code|sub)>$/.test(tag))).toEqual([]);
          const outsideCode = body.slice(marker.length).replace(/`[^`\n]*`/g, '');
          expect(outsideCode).not.toMatch(/`|@(?!&#8203;)/);
          expect(body.match(/<details>/g)).toHaveLength(1);
          expect(body).not.toContain('```');
        },
      ),
    );
  });
});
