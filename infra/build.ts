import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bundled, bundle } from './bundle.ts';
import { synthesizeTemplate } from './template.ts';
import { localTiming } from './timing.ts';

const root = join(import.meta.dirname, '..');

/**
 * Makes `dist/`: the functions' bundles, the command line, and `template.json`, which the embedded stack behind the command line
 * reads in place of the CDK. With `strict`, an entry point without a handler is an error: nothing deployable is missing.
 * It is made beside and put in place whole, so that a command that starts meanwhile never meets half of it.
 *
 * @throws Error that names the missing handlers.
 */
export async function buildAll({ strict }: { readonly strict: boolean }): Promise<Bundled> {
  const made = join(root, `dist.${process.pid}`);
  try {
    const bundled = await bundle(root, made);
    if (strict && bundled.missing.length > 0) throw new Error(`These entry points have no handler: ${bundled.missing.join(', ')}`);
    mkdirSync(made, { recursive: true });
    writeFileSync(join(made, 'template.json'), `${JSON.stringify(synthesizeTemplate({ timing: localTiming }), null, 1)}\n`);
    putInPlace(made, join(root, 'dist'));
    return bundled;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Another build may put its own in place between the two steps: then ours replaces that one. */
function putInPlace(made: string, dist: string): void {
  const old = `${made}.old`;
  for (;;) {
    try {
      renameSync(dist, old);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    rmSync(old, { recursive: true, force: true });
    try {
      renameSync(made, dist);
      return;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** Name and size of each bundle, one a line, aligned. */
export function sizeTable({ bundles, missing }: Bundled): string {
  const width = Math.max(0, ...bundles.map(({ name }) => name.length));
  const lines = bundles.map(({ name, bytes }) => `${name.padEnd(width)}  ${(bytes / 1024).toFixed(0).padStart(6)} KiB`);
  return [...lines, ...missing.map((file) => `${file} does not exist yet: skipped`)].join('\n');
}

/** Ends a command of this folder with the message alone: what failed is the input, not the program. */
export function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });
  await buildAll(values).then((bundled) => console.log(sizeTable(bundled)), fail);
}
