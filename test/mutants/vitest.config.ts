import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { edited } from './edited.ts';
import { gateMutants } from './gate-mutants.ts';

const root = new URL('../../', import.meta.url).pathname;
const mutant = gateMutants.find(({ name }) => name === process.env['LOCKKEEPER_MUTANT']);

/** Runs tests over the product with the edits of one mutant, or over the product itself where none is named. */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load(id) {
        const edits = mutant?.edits.filter(({ file }) => id === root + file) ?? [];
        return edits.length === 0 ? undefined : edits.reduce(edited, readFileSync(id, 'utf8'));
      },
    },
  ],
  // Nothing of a mutant is kept: the next to load that file would get it.
  test: { environment: 'node', pool: 'forks', fsModuleCache: false, testTimeout: 60_000, include: ['shared/**/*.test.ts'] },
});
