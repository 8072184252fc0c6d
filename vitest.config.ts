import { defineConfig } from 'vitest/config';

const elsewhere = ['**/node_modules/**', 'dist/**', 'cdk.out/**', 'coverage/**'];
const heavy = ['test/e2e/**/*.test.ts', 'test/crash/**/*.test.ts', 'test/bench/**/*.test.ts'];

/**
 * Two projects, one after the other: `unit` runs in parallel; `stack` starts embedded stacks and processes, one file at a
 * time, so that what a test measures or kills is not competing with its neighbours.
 */
export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { include: ['functions/**', 'infra/**', 'shared/**', 'events/**'], exclude: ['**/*.test.ts'] },
    projects: [
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...elsewhere, ...heavy], sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'stack', include: heavy, exclude: elsewhere, fileParallelism: false, sequence: { groupOrder: 1 } } },
    ],
  },
});
