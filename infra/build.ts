import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bundled, bundle } from './bundle.ts';
import { synthesizeTemplate } from './template.ts';
import { localTiming } from './timing.ts';

const root = join(import.meta.dirname, '..');

/**
 * Fills `dist/`: the functions' bundles, the command line, and `template.json`, which the embedded stack of an installed
 * package reads in place of the CDK. With `strict`, an entry point without a handler is an error: nothing deployable is missing.
 *
 * @throws Error that names the missing handlers.
 */
export async function buildAll({ strict }: { readonly strict: boolean }): Promise<Bundled> {
  const dist = join(root, 'dist');
  const bundled = await bundle(root, dist);
  if (strict && bundled.missing.length > 0) throw new Error(`These entry points have no handler: ${bundled.missing.join(', ')}`);
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'template.json'), `${JSON.stringify(synthesizeTemplate({ timing: localTiming }), null, 1)}\n`);
  return bundled;
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
