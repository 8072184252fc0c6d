import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answeredKey, type BoxMarker } from '../../dashboard/box.ts';
import { changesAsFit } from '../../dashboard/difference.ts';
import { boxesIn, boxMarker, rootMarker, versionOf } from '../../dashboard/marker.ts';
import { type Row, stateOf } from '../../dashboard/row.ts';
import { longestBody, renderDashboard } from './dashboard.ts';
import type { DashboardFacts } from './facts.ts';
import { sampleRow, sampleRows } from './sample-rows.fixture.ts';

const facts = (rows: readonly Row[], more: Partial<DashboardFacts> = {}): DashboardFacts => ({
  at: { branch: 'main', stack: 'Lockkeeper' },
  rows,
  ticked: new Map(),
  answered: new Map(),
  previews: 2,
  freezes: [],
  looking: [],
  rescan: { run: 'f00d', digest: 'd'.repeat(64) },
  ...more,
});
const bodyOf = (rows: readonly Row[], more?: Partial<DashboardFacts>): string => renderDashboard(facts(rows, more));

describe('the body of the dashboard', () => {
  it('is these bytes for a row in each state', async () => {
    await expect(
      `${bodyOf(sampleRows, { freezes: [{ environment: 'production', reason: 'the fair', until: '2026-01-07T00:00:00.000Z', by: 'ada' }] })}\n`,
    ).toMatchFileSnapshot('golden/every-state.md');
  });

  it('begins with the root marker, whatever follows', () => {
    expect(bodyOf([]).split('\n')[0]).toBe(rootMarker);
    expect(versionOf(bodyOf(sampleRows).replaceAll('\n', '\r\n'))).toBe(1);
  });

  it('is in sync with nothing to tick but the look', () => {
    const body = bodyOf([sampleRow('main')]);
    expect(boxesIn(body).map(({ marker }) => marker.box)).toEqual(['rescan']);
    expect(body).not.toContain('drift');
  });

  it('R2.27 names drift on the line of counts only where there is some', () => {
    const line = (rows: readonly Row[]) =>
      bodyOf(rows)
        .split('\n')
        .find((one) => one.includes(' pending**'));
    expect(line([sampleRow('main')])).toBe('**0 pending** · 0 deploying · 0 with a failed preview · 1 in sync');
    expect(line(sampleRows)).toBe(
      '**1 pending** · 1 drifted · 1 deploying · 1 with a failed preview · 2 in sync · 1 failed run · ⚠️ **1 would delete or replace**',
    );
  });

  it('R2.29 says in the picture’s text what the line of counts says, and has a picture only under an address', () => {
    expect(bodyOf(sampleRows)).not.toContain('<picture>');
    const body = bodyOf([sampleRow('main', { drift: { ...driftOf('x'), counts: { changed: 1 } } })], { pictures: 'https://pictures.example.com' });
    expect(body).toContain('srcset="https://pictures.example.com/drift-dark.svg"');
    expect(body).toContain('alt="Lockkeeper: something was changed outside. 0 pending, 1 drifted, 0 deploying, 0 with a failed preview, 0 in sync."');
  });

  it('R2.26 has the section of drift right under that of what is pending, under its own line', () => {
    const headings = bodyOf(sampleRows)
      .split('\n')
      .filter((line) => line.startsWith('### '));
    expect(headings).toEqual(['### Deploying (1)', '### Pending (1)', '### Drifted (1)', '### Preview failed (1)', '### In sync (2)', '### Recently deployed']);
    expect(bodyOf(sampleRows)).toContain(
      '\nThese were changed outside. **Repair** puts back what was last released, and nothing else. What is gone is made anew, without what was in it.\n',
    );
  });

  it('R2.18 shows the drift of a pending row under its changes, each with a box of its own', () => {
    const body = bodyOf(sampleRows.slice(0, 1));
    expect(boxesIn(body).map(({ marker: { box, digest } }) => `${box} ${digest.slice(0, 2)}`)).toEqual(['rescan dd', 'apply aa', 'repair bb']);
    expect(body.indexOf('What drifted')).toBeGreaterThan(body.indexOf('What would be written'));
  });

  it('R2.19 puts deploying before a failed preview before pending before drift before in sync', () => {
    const everything = { ...sampleRows[0], ...sampleRows[1], ...sampleRows[2], ...sampleRows[3], pending: sampleRows[0]?.pending } as Row;
    const { open: _open, ...failed } = everything;
    const { failed: _failed, ...pending } = failed;
    const { pending: _pending, ...drift } = pending;
    const { drift: _drift, ...rest } = drift;
    expect([everything, failed, pending, drift, rest].map(stateOf)).toEqual(['deploying', 'preview-failed', 'pending', 'drift', 'in-sync']);
  });

  it('shows a tick that is being looked into as ticked, with whose it is', () => {
    const marker: BoxMarker = {
      box: 'repair',
      plan: 'catalog',
      environment: 'production',
      run: 'cccc5ca1ab1e0000f00d5ca1ab1e0000',
      digest: 'c'.repeat(64),
      no: 0,
    };
    const body = bodyOf(sampleRows, { ticked: new Map([[boxMarker(marker), { by: 'mona' }]]) });
    expect(boxesIn(body).filter(({ ticked }) => ticked)).toEqual([{ marker, ticked: true }]);
    expect(body).toContain('· ticked by `mona`');
  });

  it('gives a box that was answered another marker, so that it can be ticked again', () => {
    const key = answeredKey({ box: 'rescan', plan: '', environment: '', run: 'f00d', digest: 'd'.repeat(64) });
    expect(boxesIn(bodyOf([], { answered: new Map([[key, 2]]) }))[0]?.marker.no).toBe(2);
  });

  it('R2.31 shortens what drifted like what is pending, keeps every box, and says how much is missing', () => {
    const many = (plan: string) => sampleRow(plan, { pending: pendingOf(`${plan} `, 400), drift: driftOf(`${plan} `, 400) });
    const rows = ['a', 'b', 'c'].map(many);
    const body = bodyOf(rows);
    expect(body.length).toBeLessThanOrEqual(longestBody);
    expect(boxesIn(body)).toHaveLength(7);
    expect(body).toMatch(/… and \d+ more that found no room here/);
    for (const plan of ['a', 'b', 'c']) expect(body).toContain(`thing ${plan} 0`);
  });

  it('shows what would be deleted all or none', () => {
    const row = (plan: string, n: number) => sampleRow(plan, { pending: { ...pendingOf('x', 1), counts: { delete: n }, changes: deletions(plan, n) } });
    const body = bodyOf([row('few', 3), row('many', 900)]);
    expect(body.match(/\*\*DELETE\*\* `few/g)).toHaveLength(3);
    expect(body).not.toContain('**DELETE** `many');
    expect(body).toContain('**900 to delete**');
    expect(body).toContain('> What is pending would delete or replace resources: `few` in `production`, `many` in `production`.');
  });

  it('says so where a row itself had no room for all that would be deleted, and lists none of it', () => {
    const { listed, more } = changesAsFit([...pendingOf('x', 2).changes, ...deletions('many', 900)]);
    expect(more).toEqual({ more: true });
    const body = bodyOf([sampleRow('many', { pending: { ...pendingOf('x', 1), counts: { delete: 900, create: 2 }, changes: listed, ...more } })]);
    expect(body).not.toContain('**DELETE**');
    expect(body).toContain('* ⚠️ What would be deleted or replaced found no room here.');
  });

  it('lists all that would be deleted where other changes alone found no room in the row', () => {
    const { listed, more } = changesAsFit([...pendingOf('y'.repeat(60), 900).changes, ...deletions('few', 3)]);
    expect(more).toEqual({ more: true });
    const body = bodyOf([sampleRow('few', { pending: { ...pendingOf('x', 1), counts: { delete: 3, create: 900 }, changes: listed, ...more } })]);
    expect(body.match(/\*\*DELETE\*\*/g)).toHaveLength(3);
  });

  it('says below each row that it could not say what would be deleted, counts the rows without room, and warns of them by name as far as there is room', () => {
    const row = (_: unknown, at: number) =>
      sampleRow(`${'<'.repeat(50)}${at}`, { pending: { ...pendingOf('x', 1), counts: { delete: 1 }, changes: deletions('x', 1) } });
    const body = bodyOf(Array.from({ length: 400 }, row));
    expect(body.length).toBeLessThanOrEqual(longestBody);
    const shown = body.match(/\*\*DELETE\*\*|⚠️ What would be deleted/g)?.length ?? 0;
    expect(boxesIn(body)).toHaveLength(1 + shown);
    expect(body).toContain(`> ${400 - shown} rows found no room here`);
    expect(body).toMatch(/> What is pending would delete or replace resources: .* and \d+ more rows\./);
    const long = bodyOf([sampleRow('n'.repeat(3000), { pending: { ...pendingOf('x', 1), counts: { delete: 1 }, changes: [] } })]);
    expect(long).toContain('> What is pending would delete or replace resources: ');
  });

  it('has nothing beneath a row that found no room itself', () => {
    const rows = ['a', 'b'.repeat(700), 'c'].map((plan) =>
      sampleRow(plan, { pending: { ...pendingOf('x', 1), counts: { delete: 1 }, changes: deletions(plan.slice(0, 1), 1) } }),
    );
    for (let longest = 1500; longest < 6000; longest += 50) {
      const body = renderDashboard(facts(rows), longest);
      for (const { plan } of rows)
        if (!boxesIn(body).some(({ marker }) => marker.plan === plan)) expect(body).not.toContain(`**DELETE** \`${plan.slice(0, 1)} `);
    }
  });

  it('says that nothing is there of what is gone, and that a value is not shown only where one is', () => {
    const drift = { ...driftOf('x'), counts: { gone: 1 } };
    const line = (kind: 'gone' | 'changed') =>
      bodyOf([sampleRow('main', { drift: { ...drift, resources: [{ line: 'a', label: 'thing x', kind, fields: [{ path: 'value', before: '1' }] }] } })]);
    expect(line('gone')).toContain('- gone: `thing x`, line `a`: `value` `1` → *nothing*\n');
    expect(line('changed')).toContain('`value` `1` → *(not shown)*');
  });

  it('counts the rows that find no room, those with a box last', () => {
    const rows = Array.from({ length: 300 }, (_, at) => sampleRow(`plan-${at}`, at < 60 ? { drift: driftOf('x') } : {}));
    const body = bodyOf(rows);
    expect(body.length).toBeLessThanOrEqual(longestBody);
    expect(boxesIn(body)).toHaveLength(61);
    expect(bodyOf(Array.from({ length: 400 }, (_, at) => sampleRow(`plan-${at}`, { drift: driftOf('x') })))).toMatch(/> \d+ rows found no room here/);
  });

  it('cannot be told to have another box, a mention or an issue by any name or value', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...nasty),
      fc.tuple(fc.constantFrom(...nasty), fc.string()).map((two) => two.join('')),
    );
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 8, maxLength: 8 }), (texts) => {
        const [a, b, c, d, e, f, g, h] = texts as [string, string, string, string, string, string, string, string];
        const row = sampleRow(a, {
          environment: b,
          pending: {
            ...pendingOf('x', 1),
            changes: [
              {
                line: c,
                change: {
                  key: d,
                  kind: 'update',
                  label: d,
                  fields: [{ path: e, before: { state: 'literal', value: f }, after: { state: 'sensitive', ref: g } }],
                },
              },
            ],
          },
          drift: { ...driftOf('y'), resources: [{ line: c, label: d, kind: 'changed', fields: [{ path: e, before: f, after: g }] }] },
        });
        const failed = sampleRow('failed', { failed: { ...sourceOf, code: 'INTERNAL', message: h } });
        const body = bodyOf([row, failed], { freezes: [{ environment: b, reason: h, until: '2026-01-07T00:00:00.000Z', by: a }] });
        const boxes = boxesIn(body).map(({ marker }) => [marker.box, marker.plan, marker.environment]);
        expect(boxes).toEqual([
          ['rescan', '', ''],
          ['apply', a.toWellFormed(), b.toWellFormed()],
          ['repair', a.toWellFormed(), b.toWellFormed()],
        ]);
        expect(versionOf(body)).toBe(1);
        const outside = body.replaceAll(/<!-- lockkeeper:[^>]*-->|`[^`\n]*`|<code>[^\n]*?<\/code>/g, '');
        expect(outside).not.toMatch(/@[A-Za-z0-9]|(?<![&\w])#\d|<!--|<script|<img/);
      }),
      { numRuns: 200 },
    );
  });

  it('is at most so long for any rows, gives its boxes back, and the same bytes again', () => {
    const anyRow = fc.record({
      plan: fc.stringMatching(/^[a-z][a-z0-9_-]{0,39}$/),
      n: fc.integer({ min: 0, max: 300 }),
      m: fc.integer({ min: 0, max: 300 }),
      long: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(anyRow, { maxLength: 60, selector: ({ plan }) => plan }), (wanted) => {
        const rows = wanted.map(({ plan, n, m, long }) =>
          sampleRow(plan, {
            ...(n > 0 && { pending: pendingOf(long ? 'y'.repeat(180) : 'y', n) }),
            ...(m > 0 && { drift: driftOf(long ? 'z'.repeat(180) : 'z', m) }),
          }),
        );
        const body = bodyOf(rows);
        expect(body.length).toBeLessThanOrEqual(longestBody);
        expect(boxesIn(body)).toHaveLength(1 + wanted.reduce((count, { n, m }) => count + Math.min(n, 1) + Math.min(m, 1), 0));
        expect(bodyOf(rows.toReversed())).toBe(body);
      }),
      { numRuns: 40 },
    );
  });
});

it('says of rows whose lists found no room that there is something that it does not name, and never drops it without a word', () => {
  const rows = Array.from({ length: 30 }, (_, at) =>
    sampleRow(`aims-${at}`, { pending: { ...pendingOf('y', 1), changes: deletions(`n${at}`, 40), counts: { delete: 40 } } }),
  );
  const drifted = Array.from({ length: 40 }, (_, at) => sampleRow(`drift-${at}`, { drift: driftOf('z'.repeat(180), 3) }));
  const body = bodyOf([...rows, ...drifted]);
  expect(body.length).toBeLessThanOrEqual(longestBody);
  const shown = (body.match(/<summary>What drifted/g) ?? []).length;
  const told = (body.match(/What drifted: 3 resources, for which there is no room here/g) ?? []).length;
  expect(shown + told).toBe(drifted.length);
  const [deletes, unsaid] = [/\*\*DELETE\*\* `n\d+ x+0`/g, /What would be deleted or replaced found no room here/g].map(
    (one) => (body.match(one) ?? []).length,
  );
  expect([Number(deletes) + Number(unsaid), Number(unsaid) > 0]).toEqual([rows.length, true]);
  expect(boxesIn(body)).toHaveLength(1 + rows.length + drifted.length);
});

it('has no box for whose lists there is not even the room to say that they are missing', () => {
  const rows = Array.from({ length: 100 }, (_, at) =>
    sampleRow(`p-${at}`, { pending: { ...pendingOf('y', 1), changes: deletions('n', 40), counts: { delete: 40 } } }),
  );
  const drifted = Array.from({ length: 300 }, (_, at) => sampleRow(`d-${at}`, { drift: driftOf('z'.repeat(180), 3) }));
  const body = bodyOf([...rows, ...drifted]);
  expect(body.length).toBeLessThanOrEqual(longestBody);
  const boxes = boxesIn(body).filter(({ marker }) => marker.box !== 'rescan');
  const lists =
    body.match(/<summary>What drifted|What drifted: 3 resources, for which|What would be deleted or replaced found no room|\*\*DELETE\*\* `n x+0`/g) ?? [];
  expect(boxes.length).toBeGreaterThan(0);
  expect(lists).toHaveLength(boxes.length);
  expect(body).toContain(`> ${400 - boxes.length} rows found no room here`);
  expect(body).not.toContain('None of these found room');
  const more = bodyOf([...Array.from({ length: 200 }, (_, at) => sampleRow(`more-${at}`, { pending: pendingOf('y', 1) })), ...drifted]);
  expect(more).toContain('### Drifted (300)\n\nNone of these found room here.\n');
  expect(more.length).toBeLessThanOrEqual(longestBody);
});

it('names many rows in sync alone, and those of which there is more to say as ever, as people count', () => {
  const quiet = Array.from({ length: 60 }, (_, at) => sampleRow(`web-${at}`));
  const body = bodyOf([...quiet, sampleRow('web-61', { orphans: 2 })]);
  expect(body).toContain('### In sync (61)');
  expect(body).toContain('`web-1` in `production`, `web-2` in `production`, `web-3` in `production`');
  expect(body).toMatch(/`web-9` in `production`, `web-10` in `production`/);
  expect(body).toMatch(/\*\*`web-61` in `production`\*\* · as of commit/);
  expect(body.length).toBeLessThan(4_000);
});

it('says of a row of which nobody has seen all that there may be more, and who repaired it last', () => {
  const by = { run: '99995ca1ab1e0000', at: '2026-01-06T09:00:00.000Z', by: 'robin' };
  expect(bodyOf([sampleRow('main', { drift: driftOf('x'), unsure: true })])).toContain('Nobody has looked at all of it since its last run: there may be more');
  expect(bodyOf([sampleRow('main', { drift: driftOf('x') })])).not.toContain('Nobody has looked');
  expect(bodyOf([sampleRow('main', { repaired: by })])).toContain('🔧 Run `99995ca1ab1e` repaired what was ticked on 2026-01-06 09:00 UTC by `robin`.');
  const applied = { run: 'r', commit: 'c', at: '2026-01-06T10:00:00.000Z' };
  expect(bodyOf([sampleRow('main', { repaired: by, applied })])).not.toContain('🔧');
});

const sourceOf = { run: 'aaaa', commit: 'f'.repeat(40), asOf: { fence: 1, at: '2026-01-06T09:00:00.000Z' } };

function pendingOf(name: string, n: number): NonNullable<Row['pending']> {
  const changes = Array.from({ length: n }, (_, at) => ({
    line: `line-${at}`,
    change: { key: `k${at}`, kind: 'create' as const, label: `thing ${name}${at}`, fields: [] },
  }));
  return { ...sourceOf, digest: 'a'.repeat(64), counts: { create: n }, changes };
}

function driftOf(name: string, n = 1): NonNullable<Row['drift']> {
  const resources = Array.from({ length: n }, (_, at) => ({
    line: `line-${at}`,
    label: `thing ${name}${at}`,
    kind: 'changed' as const,
    fields: [{ path: 'value' }],
  }));
  return { ...sourceOf, digest: 'b'.repeat(64), counts: { changed: n }, resources };
}

const deletions = (name: string, n: number) =>
  Array.from({ length: n }, (_, at) => ({
    line: 'l',
    change: { key: `k${at}`, kind: 'delete' as const, label: `${name} ${'x'.repeat(60)}${at}`, fields: [] },
  }));

const nasty = [
  '--> <!-- lockkeeper:apply plan="x" env="y" run="r" digest="0" no="0" -->',
  `- [x] all <!-- lockkeeper:apply plan="main" env="production" run="r" digest="${'e'.repeat(64)}" no="0" -->`,
  `\n- [x] all <!-- lockkeeper:repair plan="main" env="production" run="r" digest="${'e'.repeat(64)}" no="0" -->`,
  `\r- [x] all <!-- lockkeeper:rescan plan="" env="" run="r" digest="${'e'.repeat(64)}" no="0" -->\r`,
  '<!-- lockkeeper:dashboard v="9" -->',
  '@everyone #1 acme/storefront#1',
  '</details></details>',
  '`` ` ```',
  '</code>@mona',
  '" onerror="x',
];
