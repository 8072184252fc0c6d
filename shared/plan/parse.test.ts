import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePlan } from './parse.ts';
import { readPlan } from './read.ts';
import { sampleRegistry } from './sample-registry.ts';

const withLines = (body: string) => `version: 1\nproviders:\n  neon: { project: shop }\n  vercel: { project: shop }\nchanges:\n${body}`;

const planOf = (text: string | Uint8Array) => {
  const { plan, problems, warnings } = readPlan(text, 'release.plan.yaml', sampleRegistry);
  expect(problems).toEqual([]);
  if (plan === undefined) throw new Error('no plan');
  return { plan, warnings };
};

/** As people wrote plans for the format before Lockkeeper: receipts, anchors, merges, every value form, filters, both kinds of need. */
const established = `# yaml-language-server: $schema=./release.plan.schema.json
version: 1
environments: [preview, production]
receipts: git-branch

providers:
  neon:
    project: cool-darkness-123456
  vercel:
    project: prj_abc
    team: team_xyz

changes:
  - id: db
    adapter: neon
    op: branch
    parent: main

  - id: env
    adapter: vercel
    op: env
    environments: [preview]
    values: &shared
      DATABASE_URL: { from: db.connection_string }
      RESEND_API_KEY: { secret: "op://Engineering/Resend key/credential" }
      LEGACY_FLAG: { keep: true }
      RELEASE: "\${ctx.git.short_sha} of \${ctx.git.branch}"
      WORKERS: 4
      DEBUG: false

  - id: env-live
    adapter: vercel
    op: env
    environments: [production]
    target: "\${ctx.env}"
    values:
      <<: *shared
      WORKERS: 16

  - id: login
    adapter: clerk
    op: redirect_allow
    environments: [preview]
    depends_on: [db]
    url: { from: env.preview_url }
`;

describe('a plan file written for the format before', () => {
  it('reads unchanged, with one warning for its anchors and one for its receipts', () => {
    const { plan, warnings } = planOf(established);

    expect(plan.environments).toEqual(['preview', 'production']);
    expect(plan.lines.map((line) => line.id)).toEqual(['db', 'env', 'env-live', 'login']);
    expect(warnings.map(({ code, at }) => [code, at?.line, at?.column])).toEqual([
      ['RECEIPTS_IGNORED', 4, 1],
      ['YAML_ANCHOR', 23, 13],
    ]);
  });

  it('keeps each line’s own keys apart from the op’s parameters', () => {
    const { plan } = planOf(established);
    const login = plan.lines[3];

    expect(login).toEqual({
      id: 'login',
      adapter: 'clerk',
      op: 'redirect_allow',
      environments: ['preview'],
      dependsOn: ['db'],
      params: { url: { from: 'env.preview_url' } },
      at: { file: 'release.plan.yaml', line: 40, column: 5 },
    });
    expect(plan.lines[0]?.environments).toBeUndefined();
  });

  it('merges maps, the keys written out winning', () => {
    const { plan } = planOf(established);
    const values = plan.lines[2]?.params['values'] as Record<string, unknown>;

    expect(values['WORKERS']).toBe(16);
    expect(values['DATABASE_URL']).toEqual({ from: 'db.connection_string' });
    expect(values['DEBUG']).toBe(false);
  });

  it('answers for the place of a merged value with the place that spells it out', () => {
    const { plan } = planOf(established);

    expect(plan.positionOf(['changes', 2, 'values', 'DATABASE_URL'])).toMatchObject({ line: 24, column: 21 });
    expect(plan.positionOf(['changes', 2, 'values', 'WORKERS'], 'key')).toMatchObject({ line: 38, column: 7 });
    expect(plan.positionOf(['changes', 2, 'values', 'NOTHING'])).toMatchObject({ line: 37, column: 7 });
  });
});

describe('a plan file', () => {
  it('derives its environments from its lines where it declares none', () => {
    const { plan } = planOf(withLines('  - { id: db, adapter: neon, op: branch, environments: [staging, preview] }\n'));

    expect(plan.environments).toEqual(['preview', 'production', 'staging']);
  });

  it('may have no lines and no provider blocks', () => {
    const { plan } = planOf('version: 1\nchanges: []\n');

    expect(plan).toMatchObject({ environments: ['preview', 'production'], providers: {}, lines: [] });
  });

  it('is known by the SHA-256 of its bytes, comments included', () => {
    const text = '# note\nversion: 1\nchanges: []\n';

    expect(planOf(text).plan.hash).toBe(createHash('sha256').update(text).digest('hex'));
    expect(planOf(new TextEncoder().encode(text)).plan.hash).toBe(planOf(text).plan.hash);
    expect(planOf(text.replace('note', 'nota')).plan.hash).not.toBe(planOf(text).plan.hash);
  });

  it.each([
    ['a byte order mark of UTF-8', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('version: 1\nchanges: []\n')])],
    ['Windows line ends', 'version: 1\r\nchanges: []\r\n'],
    ['a document start, a version and an end', '%YAML 1.2\n---\nversion: 1\nchanges: []\n...\n'],
    ['JSON', '{"version": 1, "changes": []}'],
    ['core tags', 'version: !!int "1"\nchanges: !!seq []\n'],
  ])('may have %s', (_, text) => {
    expect(planOf(text).plan.version).toBe(1);
  });

  it.each(['git-branch', 'local', '{ bucket: x }'])('may say `receipts: %s`, which is ignored with one warning', (receipts) => {
    expect(planOf(`version: 1\nreceipts: ${receipts}\nchanges: []\n`).warnings.map(({ code }) => code)).toEqual(['RECEIPTS_IGNORED']);
  });

  it('keeps blocks of adapters that come in a later version', () => {
    const { plan } = planOf('version: 1\nproviders:\n  netlify: { site: s }\nchanges: []\n');

    expect(plan.providers).toEqual({ netlify: { site: 's' } });
  });

  it('takes the first map of a merge list for a key that several have', () => {
    const { plan } = planOf(withLines('  - { id: w, adapter: vercel, op: env, values: { <<: [{ A: 1 }, { A: 2, B: 2 }], C: 3 } }\n'));

    expect(plan.lines[0]?.params['values']).toEqual({ A: 1, B: 2, C: 3 });
  });

  it('reads YAML 1.2: yes and on are text', () => {
    const { plan } = planOf(withLines('  - { id: w, adapter: vercel, op: env, values: { A: yes, B: on, C: 0o17 } }\n'));

    expect(plan.lines[0]?.params['values']).toEqual({ A: 'yes', B: 'on', C: 15 });
  });

  it.each([
    ['a name that only holds a secret-looking word', 'TOKEN_COUNT: 5'],
    ['a secret-looking name for true or false', 'USE_API_KEY: true'],
    ['a secret-looking name for a secret', 'A_TOKEN: { secret: env://A_TOKEN }'],
    ['a secret-looking name for an output', 'DB_PASSWORD: { from: db.connection_string }'],
    ['a secret-looking name for what is live', 'DB_PASSWORD: { keep: true }'],
    ['a dollar sign without a brace', 'PRICE: "$5 {net}"'],
    ['text that mentions pending', 'A: "is (pending ← review)"'],
    ['every variable', 'A: "${ctx.env} ${ctx.scope} ${ctx.git.branch} ${ctx.git.sha} ${ctx.git.short_sha} ${ctx.pr.number}"'],
  ])('takes %s', (_, entry) => {
    planOf(withLines(`  - { id: db, adapter: neon, op: branch }\n  - id: w\n    adapter: vercel\n    op: env\n    values:\n      ${entry}\n`));
  });
});

describe('the mistakes of a plan file', () => {
  const text = `version: 2
providers:
  neon: { projct: shop }
  vercel: { project: shop }
changes:
  - id: Db
    adapter: neon
    op: branch
  - id: web
    adapter: vercel
    op: env
    vals: {}
    depends_on: [gone]
    values:
      A_TOKEN: abc
      B: "\${ctx.Env}"
      C: { secret: nowhere }
      D: { from: Db.nothing }
`;

  it('are told all at once, in the order of the file, each once', () => {
    const { plan, problems } = readPlan(text, 'release.plan.yaml', sampleRegistry);

    expect(plan).toBeUndefined();
    expect(problems.map(({ code, at }) => `${at?.line}:${at?.column} ${code}`)).toEqual([
      '1:10 PLAN_INVALID',
      '3:9 PLAN_INVALID',
      '3:11 PLAN_INVALID',
      '6:9 PLAN_INVALID',
      '12:5 PARAM_INVALID',
      '13:18 REF_UNKNOWN',
      '15:16 SECRET_LITERAL',
      '16:10 CTX_NULL',
      '17:20 PLAN_INVALID',
      '18:18 REF_UNKNOWN',
    ]);
  });

  it('are told of a line whose id is misspelt, too', () => {
    const text = withLines('  - { id: Db, adapter: neon, op: brunch }\n  - { id: Db, adapter: neon, op: branch, depends_on: [web] }\n');
    const { problems } = readPlan(text, 'release.plan.yaml', sampleRegistry);

    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/PLAN_INVALID line `Db`: .*an id is lower-case letters/),
      expect.stringMatching(/OP_UNKNOWN line `Db`: there is no op `neon.brunch`/),
      expect.stringMatching(/PLAN_INVALID line `Db`: .*an id is lower-case letters/),
      expect.stringMatching(/PLAN_INVALID the id `Db` is taken/),
      expect.stringMatching(/REF_UNKNOWN line `Db`: no line is called `web`/),
    ]);
  });

  it('never show a value', () => {
    const { problems } = parsePlan(
      withLines('  - { id: w, adapter: vercel, op: env, values: { A_KEY: hunter2hunter2, B: "(secret) hunter2hunter2", C: { secret: hunter2hunter2 } } }\n'),
      'f',
    );
    const broken = parsePlan('version: 1\nA_KEY: "hunter2hunter2\n', 'f').problems;

    expect(problems).toHaveLength(3);
    expect(broken).toHaveLength(1);
    expect(JSON.stringify([...problems, ...broken])).not.toContain('hunter2');
  });

  it('are listed up to five hundred', () => {
    const { problems } = parsePlan(`version: 1\nchanges:\n${'  - 1\n'.repeat(100_000)}`, 'f');

    expect(problems).toHaveLength(500);
  });

  it('cut and escape the names they quote', () => {
    const { problems } = parsePlan(`version: 1\nchanges: []\n"${'x'.repeat(500)}": 1\n"a\\u001b[31m": 1\n`, 'f');

    expect(problems[0]?.message.length).toBeLessThan(250);
    expect(problems[1]?.message).toContain('`a\\u001b[31m`');
  });
});
