import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damaged } from '../../test/property/damaged.ts';
import { leaves, resolveParams } from '../engine/resolve.ts';
import { codes } from '../errors/codes.ts';
import { activateLines } from './activate.ts';
import { readPlan } from './read.ts';
import { sampleRegistry } from './sample-registry.ts';

const sample = `version: 1
environments: [preview, production]
providers:
  neon: { project: shop }
  vercel: { project: shop, team: t }
changes:
  - id: db
    adapter: neon
    op: branch
    name: "x-\${ctx.scope}"
  - id: web
    adapter: vercel
    op: env
    environments: [preview]
    depends_on: [db]
    values: &v
      A: { from: db.host }
      B: { secret: env://B }
      D: "https://\${lines.db.host}/\${ctx.scope}?$\${x}"
      <<: { C: { keep: true } }
  - { id: r, adapter: clerk, op: redirect_allow, url: { from: web.preview_url } }
`;

/** What a plan must give for any input: a plan or problems, each with a known code and a place inside the file. */
function judge(input: string | Uint8Array): void {
  const { plan, problems } = readPlan(input, 'f', sampleRegistry);

  expect(plan === undefined).toBe(problems.length > 0);
  const lines = (typeof input === 'string' ? input : new TextDecoder().decode(input)).split('\n').length;
  for (const { code, message, at } of problems) {
    expect(codes[code].exit).toBe(2);
    expect(message).toMatch(/\S/);
    expect(at?.line).toBeGreaterThanOrEqual(1);
    expect(at?.line).toBeLessThanOrEqual(lines);
    expect(at?.column).toBeGreaterThanOrEqual(1);
  }
  const runnable = plan?.environments.includes('preview') && plan.lines.every((line) => line.environments === undefined);
  if (plan !== undefined && runnable) {
    const context = { environment: 'preview', scope: 'pr-1', branch: 'b', sha: '0123456789', pullRequest: 1 };
    expect(activateLines(plan, context, sampleRegistry)).toHaveLength(plan.lines.length);
  }
}

describe('the reader of plan files', () => {
  it('answers with problems, and never throws, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), judge), { numRuns: 500 });
  });

  it('never throws for any text of YAML’s own characters', () => {
    const yaml = fc.string({ unit: fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@`<>=~ \n\t\\$ab01.ø'), maxLength: 120 });
    fc.assert(fc.property(yaml, judge), { numRuns: 2000 });
    fc.assert(
      fc.property(yaml, (text) => judge(`version: 1\nchanges:\n  - id: a\n    adapter: neon\n    op: branch\n    name: ${text}`)),
      { numRuns: 500 },
    );
  });

  it('never throws for a plan with a part cut out, doubled, moved or replaced', () => {
    const patches = [
      '',
      'null',
      '{}',
      '[]',
      '- ',
      ': ',
      '*v',
      '&v ',
      '<<: *v',
      '"',
      '${',
      '$${',
      '${lines.db.host}',
      '${lines.',
      '\n',
      '  ',
      '\t',
      '1e999',
      '!!str ',
      '__proto__: x',
      'from: a',
    ];
    fc.assert(
      fc.property(damaged(sample, patches), (text) => judge(text)),
      { numRuns: 2000 },
    );
  });

  it('reads every text as what is meant, or refuses it with a place, and never reads again what was filled in', () => {
    const piece = fc.constantFrom(
      '${ctx.scope}',
      '${lines.db.host}',
      '$${',
      '$',
      '{',
      '}',
      '${',
      'lines.db.host',
      '${ctx.git.branch}',
      '${lines.db}',
      '/x',
      '\n',
    );
    const branch = fc.constantFrom('b', '${lines.db.host}', '$', '${', '$${ctx.env}');
    const meant = (text: string, of: string) =>
      text.replaceAll(/\$\$\{|\$\{([^}]*)\}/g, (_, name?: string) =>
        name === undefined ? '${' : name === 'ctx.scope' ? 'pr-1' : name === 'ctx.git.branch' ? of : '<host>',
      );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), branch, (pieces, of) => {
        const text = pieces.join('');
        const head = { version: 1, providers: { neon: { project: 'p' }, vercel: { project: 'p' } } };
        const db = { id: 'db', adapter: 'neon', op: 'branch' };
        const file = JSON.stringify({ ...head, changes: [db, { id: 'w', adapter: 'vercel', op: 'env', values: { A: text } }] });
        judge(file);
        const { plan } = readPlan(file, 'f', sampleRegistry);
        if (plan === undefined) return;
        const context = { environment: 'preview', scope: 'pr-1', branch: of, sha: '0123456789', pullRequest: 1 };
        const web = activateLines(plan, context, sampleRegistry)[1];
        const resolved = resolveParams(web?.params ?? {}, { output: () => ({ value: '<host>', sensitive: true }), secret: () => undefined });
        const found = leaves(resolved).find(({ path }) => path === 'values.A')?.value;
        expect(found).toMatchObject({ kind: 'known', value: meant(text, of), sensitive: web?.needs.length === 1 });
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws for any JSON in any place of the file', () => {
    const place = fc.constantFrom('version', 'environments', 'providers', 'receipts', 'changes', 'else');
    const lineKey = fc.constantFrom('id', 'adapter', 'op', 'environments', 'depends_on', 'values', 'target', 'from');
    fc.assert(
      fc.property(place, lineKey, fc.jsonValue({ maxDepth: 4 }), (key, inner, value) => {
        judge(JSON.stringify({ version: 1, changes: [], [key]: value }));
        judge(JSON.stringify({ version: 1, changes: [{ id: 'w', adapter: 'vercel', op: 'env', [inner]: value }], providers: { vercel: { project: 'p' } } }));
        judge(JSON.stringify({ version: 1, changes: [], providers: { vercel: { project: value } } }));
      }),
      { numRuns: 500 },
    );
  });
});
