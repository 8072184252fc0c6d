import { describe, expect, it } from 'vitest';
import { registry } from '../../../shared/adapters/registry.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import { withLines as inserted } from './insert.ts';
import type { NewLine } from './line-text.ts';

const withLines = (...given: Parameters<typeof inserted>): Buffer => inserted(...given).bytes;

const line: NewLine = {
  id: 'env-preview',
  adapter: 'vercel',
  op: 'env',
  environments: ['preview'],
  params: { target: 'preview', branch: '*', values: { A: { keep: true }, yes: { keep: true } } },
};
const second: NewLine = { id: 'branch-main', adapter: 'neon', op: 'branch', environments: ['preview'], params: { name: 'feat/x: y' } };

const head = 'version: 1\nproviders: { neon: { project: p-1 }, vercel: { project: p } }\n';
const db = '{ id: db, adapter: neon, op: branch }';

/** Ways to write a plan file that people use. */
const files: Readonly<Record<string, string>> = {
  'a list that ends the file': `${head}changes:\n  - ${db}\n`,
  'no newline at the end': `${head}changes:\n  - ${db}`,
  'a comment at the end of the last item': `${head}changes:\n  - ${db} # the database\n`,
  'comments below, at another indentation': `${head}changes:\n  - ${db}\n# the end\n\n\n`,
  'a list that is not indented': `${head}changes:\n- id: db\n  adapter: neon\n  op: branch\n`,
  'a list deep to the right': `${head}changes:\n      -   id: db\n          adapter: neon\n          op: branch\n`,
  'lines that end as Windows ends them': `${head}changes:\n  - ${db} # one\n  - { id: db2, adapter: neon, op: branch, name: b }\n`.replaceAll('\n', '\r\n'),
  'Windows, no newline at the end': `${head}changes:\n  - ${db}`.replaceAll('\n', '\r\n'),
  'a byte-order mark': `\uFEFF${head}changes:\n  - ${db}\n`,
  'keys after the list': `version: 1\nchanges:\n  - ${db}\n\n# who and where\nproviders: { neon: { project: p-1 }, vercel: { project: p } }\n`,
  'an anchor and an alias': `${head}changes:\n  - { id: db, adapter: neon, op: branch, environments: &where [preview] }\n  - { id: db2, adapter: neon, op: branch, name: b, environments: *where }\n`,
  'a text over several lines': `${head}changes:\n  - id: db\n    adapter: neon\n    op: branch\n    name: >-\n      feature\n`,
  'a text over several lines, kept to its end': `${head}changes:\n  - id: db\n    adapter: neon\n    op: branch\n    name: "a\n      b"\n`,
  'letters of several bytes': `# Größe: 漢字 🚀\n${head}changes:\n  - ${db} # façade\n# 漢\n`,
  'brackets on one line': `${head}changes: [${db}]\n`,
  'brackets on several lines, and a comma at the end': `${head}changes: [\n  ${db}, # one\n]\n`,
  'brackets with a comment before they close': `${head}changes: [\n  ${db} # one\n  ]`,
  'an empty list': `${head}changes: []\n`,
  'an empty list with a remark': `${head}changes: [ # none yet\n]\n`,
  'a document that is ended': `---\n${head}changes:\n  - ${db}\n...\n`,
};

describe('lines added to a plan file', () => {
  it.each(Object.entries(files))('%s: every byte stays, and the lines stand behind those that were there (R0.3)', (_, text) => {
    const before = Buffer.from(text);
    const plan = readPlan(before, 'p.yaml', registry);
    expect(plan.problems).toEqual([]);
    const after = withLines(before, [line, second], 'kept');

    const start = [...before].findIndex((byte, at) => byte !== after[at]);
    const same = start < 0 ? before.length : start;
    expect(Buffer.concat([after.subarray(0, same), after.subarray(same + after.length - before.length)]).equals(before)).toBe(true);

    const read = readPlan(after, 'p.yaml', registry);
    expect(read.problems).toEqual([]);
    expect(read.plan?.lines.map(({ id }) => id)).toEqual([...(plan.plan?.lines ?? []).map(({ id }) => id), 'env-preview', 'branch-main']);
    expect(read.plan?.lines.at(-2)).toMatchObject({ environments: ['preview'], params: line.params });
    expect(read.plan?.lines.at(-1)).toMatchObject({ params: { name: 'feat/x: y' } });
  });

  it('end as the others of the file do', () => {
    const windows = withLines(Buffer.from(files['lines that end as Windows ends them'] ?? ''), [line], 'kept').toString();
    expect(windows.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(withLines(Buffer.from(files['no newline at the end'] ?? ''), [line], 'kept').toString()).not.toMatch(/\n$/);
  });

  it('twice stand one behind the other', () => {
    const once = withLines(Buffer.from(files['no newline at the end'] ?? ''), [line], 'kept');
    const twice = readPlan(withLines(once, [second], 'kept'), 'p.yaml', registry);
    expect(twice.plan?.lines.map(({ id }) => id)).toEqual(['db', 'env-preview', 'branch-main']);
  });

  it('are printed to be added by hand where the list is an alias', () => {
    const aliased = `x: &lines []\nversion: 1\nchanges: *lines\n`;
    expect(() => withLines(Buffer.from(aliased), [second], 'kept')).toThrow(/no line can be added/);
  });
});
