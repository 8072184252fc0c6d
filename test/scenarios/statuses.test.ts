import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../shared/adapters/registry.ts';
import type { RunStatus } from '../../shared/run/report.ts';
import { statusWords } from '../../shared/surfaces/words.ts';
import type { Expectation } from './expectation.ts';
import { scenarioFiles } from './run-files.ts';
import { readScenario } from './scenario.ts';

/** A scenario that ends with each. The compiler sees to it that none is missing; how each is told is in `functions/cli/run-statuses.test.ts`. */
const ofRuns: Readonly<Record<RunStatus, string>> = {
  complete: 'gate/asks-and-applies.yaml',
  partial: 'values/text.yaml',
  awaiting: 'policy/staging-protected.yaml',
  failed: 'order/none-starts-after-a-failure.yaml',
  rejected: 'gate/rejected.yaml',
  expired: 'gate/expired.yaml',
  cancelled: 'decisions/cancelled-while-asking.yaml',
  superseded: 'events/superseded.yaml',
  stale: 'events/older-commit-of-a-branch.yaml',
  'fenced-out': 'leases/taken-over-mid-write.yaml',
};

const expectationsOf = (file: string): Expectation[] =>
  readScenario(join(import.meta.dirname, file))
    .steps.flatMap((step) => [step, ...(step.meanwhile?.do ?? [])])
    .flatMap(({ expect: expected }) => expected ?? []);

/** Every expectation of every scenario, those of what happens meanwhile included. */
const expectations: readonly Expectation[] = scenarioFiles().flatMap(expectationsOf);

it.each(Object.entries(ofRuns))('a run that ends %s is played by %s (R1.62)', (status, file) => {
  const ended = expectationsOf(file).flatMap((expected) => [...(expected.runs ?? []), expected.status]);
  expect(ended).toContain(status);
});

/** `run` is said of one-off actions alone: it can be expected once some op is one. */
const hasActions = registry.adapters().some((adapter) => registry.ops(adapter).some((op) => registry.find(adapter, op)?.action !== undefined));

it('expects every status that a line can have', () => {
  const expected = new Set(expectations.flatMap(({ lines = {} }) => Object.values(lines).map((line) => (typeof line === 'string' ? line : line.status))));
  expect(Object.keys(statusWords).filter((status) => !expected.has(status) && (status !== 'run' || hasActions))).toEqual([]);
});
