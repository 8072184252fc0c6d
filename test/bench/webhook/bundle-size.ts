import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Bundle, bundle } from '../../../infra/bundle.ts';
import { atMost, type Row } from '../row.ts';

const root = join(import.meta.dirname, '../../..');
const record = join(import.meta.dirname, 'bundle-sizes.json');

/** So much a bundle may grow over its recorded size before somebody has to look, percent. */
const unnoticed = 10;

const sizes = z.record(z.string(), z.int().positive());

/** Builds every function as it is deployed into a folder of its own, hands it to `use`, and removes it. */
export async function withBundles<T>(use: (bundles: { readonly folder: string; readonly made: readonly Bundle[] }) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'));
  try {
    const { bundles } = await bundle(root, folder, 'error');
    return await use({ folder, made: bundles.filter(({ name }) => name.startsWith('functions/')) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each bundle against its recorded size. One that has no record is missed: recording it is how it is noticed. */
export function bundleSizes(made: readonly Bundle[]): Row[] {
  const recorded = sizes.parse(JSON.parse(readFileSync(record, 'utf8')));
  return made.map(({ name, bytes }) => {
    const known = recorded[name];
    return atMost(`bundle ${name}, growth since it was recorded`, unnoticed, {
      value: known === undefined ? Number.NaN : (100 * bytes) / known - 100,
      digits: 1,
      unit: ' %',
      details: [`${bytes} bytes; recorded ${known ?? 'nothing: npm run bench -- --record'}`],
    });
  });
}

export function recordSizes(made: readonly Bundle[]): void {
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(made.map(({ name, bytes }) => [name, bytes])), null, 2)}\n`);
}
