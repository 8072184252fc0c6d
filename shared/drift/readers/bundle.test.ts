import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

it('the readers take along no zod, no TypeScript, no esbuild, and beside the drift record only what is listed here (R3.33)', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['shared/drift/readers/read-output.ts', 'shared/drift/readers/input.ts', 'shared/drift/readers/show.ts'],
    outdir: 'none',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
  });
  const beside = Object.keys(metafile.inputs).filter((path) => !path.startsWith('shared/drift/') && !path.startsWith('shared/redact/'));
  expect(beside.sort()).toEqual(['shared/approvals/canonical-json.ts', 'shared/errors/codes.ts', 'shared/errors/error.ts', 'shared/secrets/fingerprint.ts']);
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect([...new Set(outside)].sort()).toEqual(['node:buffer', 'node:crypto']);
});
