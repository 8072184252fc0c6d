import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** Everything the drift record is made of: whoever reads records takes this and nothing else along. */
const allowed = [
  'shared/approvals/canonical-json.ts',
  'shared/drift/address.ts',
  'shared/drift/document.ts',
  'shared/drift/drift-record.ts',
  'shared/drift/fold-stream.ts',
  'shared/drift/json-schema.ts',
  'shared/drift/masking.ts',
  'shared/drift/placement.ts',
  'shared/drift/read-document.ts',
  'shared/drift/record.ts',
  'shared/drift/roll-up.ts',
  'shared/drift/rules.ts',
  'shared/drift/sensitive-key.ts',
  'shared/drift/stream.ts',
  'shared/drift/urn.ts',
  'shared/drift/without-sensitive.ts',
  'shared/errors/codes.ts',
  'shared/errors/error.ts',
  'shared/redact/closed-fields.ts',
  'shared/redact/credentials.ts',
  'shared/redact/encodings.ts',
  'shared/redact/forms.ts',
  'shared/redact/matcher.ts',
  'shared/redact/readings.ts',
  'shared/redact/redactor.ts',
  'shared/redact/scanner.ts',
  'shared/redact/view.ts',
];

/** Modules in a bundle of these files, from the root; packages outside of it by name. */
async function modulesOf(files: readonly string[]): Promise<{ inputs: string[]; outside: string[] }> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `export * from './${file}';`).join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
  });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return {
    inputs: Object.keys(metafile.inputs)
      .filter((path) => path !== '<stdin>')
      .sort(),
    outside: [...new Set(outside)].sort(),
  };
}

it('the drift record takes along no zod, no TypeScript, no esbuild, and nothing of this repository but what is listed here (R3.33)', async () => {
  const { inputs, outside } = await modulesOf(allowed.filter((file) => file.startsWith('shared/drift/')));
  expect(inputs).toEqual(allowed);
  expect(outside).toEqual(['node:crypto']);
});

it('nor do the readers of other tools’ output (R3.33)', async () => {
  const readers = globSync('shared/drift/readers/*.ts', { cwd: root }).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
  expect(readers.length).toBeGreaterThan(5);
  const { inputs, outside } = await modulesOf(readers);
  const more = ['shared/secrets/fingerprint.ts', 'shared/errors/quoted.ts'];
  expect(inputs.filter((file) => !allowed.includes(file) && !readers.includes(file) && !more.includes(file))).toEqual([]);
  expect(outside.filter((one) => !['node:crypto', 'node:buffer'].includes(one))).toEqual([]);
});

it('nothing that decides, and nothing that lets go, looks at a drift record: it authorises nothing, and no gate is bound to it (R3.16)', () => {
  const deciding = globSync('shared/{approvals,guard,lease,freeze,rulings,ticks,policy,run}/*.ts', { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.ts$/.test(file),
  );
  const bound = deciding.filter((file) => /from '\.\.\/drift\/(?!readers\/paths\.ts)/.test(readFileSync(`${root}${file}`, 'utf8')));
  expect(deciding.length).toBeGreaterThan(100);
  expect(bound).toEqual([]);
});

it('and it would be seen if it did', async () => {
  const { inputs } = await modulesOf(['shared/drift/record.ts', 'shared/policy/schema.ts']);
  expect(inputs.filter((path) => path.includes('node_modules/zod/')).length).toBeGreaterThan(0);
});
