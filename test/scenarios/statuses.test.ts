import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../shared/adapters/registry.ts';
import type { RunStatus } from '../../shared/run/report.ts';
import { statusWords } from '../../shared/surfaces/words.ts';
import type { Expectation } from './expectation.ts';
import { scenarioFiles } from './run-files.ts';
import { readScenario } from './scenario.ts';

/** The compiler sees to it that none is missing. */
const ofRuns: Readonly<Record<RunStatus, true>> = {
  complete: true,
  partial: true,
  awaiting: true,
  failed: true,
  rejected: true,
  expired: true,
  superseded: true,
  stale: true,
  'fenced-out': true,
};

/** Every expectation of every scenario, those of what happens meanwhile included. */
const expectations: readonly Expectation[] = scenarioFiles()
  .flatMap((file) => readScenario(join(import.meta.dirname, file)).steps)
  .flatMap((step) => [step, ...(step.meanwhile?.do ?? [])])
  .flatMap(({ expect: expected }) => expected ?? []);

it('expects every status that a run can end with', () => {
  const expected = new Set(expectations.flatMap(({ status, runs = [] }) => [...runs, ...(status === undefined ? [] : [status])]));
  expect(Object.keys(ofRuns).filter((status) => !expected.has(status))).toEqual([]);
});

/** `run` is said of one-off actions alone: it can be expected once some op is one. */
const hasActions = registry.adapters().some((adapter) => registry.ops(adapter).some((op) => registry.find(adapter, op)?.action !== undefined));

it('expects every status that a line can have', () => {
  const expected = new Set(expectations.flatMap(({ lines = {} }) => Object.values(lines).map((line) => (typeof line === 'string' ? line : line.status))));
  expect(Object.keys(statusWords).filter((status) => !expected.has(status) && (status !== 'run' || hasActions))).toEqual([]);
});
