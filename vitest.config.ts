import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const elsewhere = ['**/node_modules/**', 'dist/**', 'cdk.out/**', 'coverage/**'];
/** Those that start a process for each command, in which two meet within moments, or that may not take longer than is said. */
const hasty = ['test/e2e/cli*.test.ts', 'test/e2e/races.test.ts', 'test/e2e/crash.test.ts', 'test/e2e/story.test.ts'];
const heavy = [
  'test/e2e/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/contract/iam/iam.test.ts',
  'test/contract/iam/people.test.ts',
  'test/contract/published/published.test.ts',
];

const domain = 'shared/**/*.test.ts';

/**
 * Every process that a test starts reads hundreds of sources, strips their types and compiles them: Node.js keeps that for the next one, by
 * content. Not where lines are counted, which compiled code tells less exactly.
 */
if (!process.argv.includes('--coverage')) process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

/** What the package exports, as it lies in the sources. */
const published = [
  { find: /^lockkeeper\/adapter$/, replacement: join(import.meta.dirname, 'shared/adapters/kit.ts') },
  { find: /^lockkeeper\/adapter\/contract$/, replacement: join(import.meta.dirname, 'test/contract/kit.ts') },
  { find: /^lockkeeper\/adapter\/example$/, replacement: join(import.meta.dirname, 'test/contract/memory/note.ts') },
];

/** Keeps the processors busy. */
const busy = { maxWorkers: Math.max(2, availableParallelism() - 1), sequence: { groupOrder: 1 } };

/** Start embedded stacks and processes, so many files at a time. */
const stacks = (maxWorkers: number, groupOrder: number) => ({ globalSetup: ['test/e2e/built.ts'], maxWorkers, sequence: { groupOrder } });

/**
 * Three groups of projects, one after the other. `domain` and `unit` keep the processors busy: the domain reads no clock, no randomness and no
 * environment and keeps nothing between two calls, so the files of its tests share processes and load it once; the others have one each.
 * `hasty` and `stack` wait much of their time; more at a time would compete for what a test has to see within its bounds.
 */
export default defineConfig({
  resolve: { alias: published },
  test: {
    environment: 'node',
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { include: ['functions/**', 'infra/**', 'shared/**', 'events/**'], exclude: ['**/*.test.ts'] },
    projects: [
      { extends: true, test: { name: 'domain', include: [domain], exclude: elsewhere, isolate: false, ...busy } },
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...elsewhere, ...heavy, domain], ...busy } },
      { extends: true, test: { name: 'hasty', include: hasty, exclude: elsewhere, ...stacks(2, 2) } },
      { extends: true, test: { name: 'stack', include: heavy, exclude: [...elsewhere, ...hasty], ...stacks(3, 3) } },
    ],
  },
});
