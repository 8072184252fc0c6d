/** Makes what adapters from elsewhere import: `lockkeeper/adapter`, its contract's suite and the example, with their types. Part of `npm pack`. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { fail } from './build.ts';

/** Exports of the package below `lockkeeper/`, and their sources. */
const entryPoints = { kit: 'shared/adapters/kit.ts', contract: 'test/contract/kit.ts', example: 'test/contract/memory/note.ts' };

/**
 * Writes `outdir`/*.js and `outdir`/types. The parts share what they have in common, so that an error of the one is an error to the other;
 * zod and vitest are the author's own.
 *
 * @throws when a source does not compile; the tools have printed where.
 */
export async function buildAdapterKit(root: string, outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    logLevel: 'warning',
    absWorkingDir: root,
    entryPoints,
    outdir,
    external: ['zod', 'vitest'],
    alias: { 'lockkeeper/adapter': join(root, 'shared/adapters/kit.ts') },
  });
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.adapter.json'), '--outDir', join(outdir, 'types')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  await buildAdapterKit(root, join(root, 'dist', 'adapter')).catch(fail);
}
