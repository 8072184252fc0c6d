import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codes } from '../../shared/errors/codes.ts';
import { codesIn } from './codes-expected.ts';
import { scenarioFiles } from './run-files.ts';
import { readScenario } from './scenario.ts';

const decision = join(import.meta.dirname, '..', '..', 'docs/adr/0035-codes-without-a-scenario.md');

/** Codes that the decision names, each in the first column of its table. */
const named = (): string[] => [...readFileSync(decision, 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code ?? '');

const expected = new Set(scenarioFiles().flatMap((file) => codesIn(readScenario(join(import.meta.dirname, file)))));

it('has at least 150 files, each in the folder of its area and with a name of its own (R1.112, R1.114)', () => {
  const names = scenarioFiles().map((file) => readScenario(join(import.meta.dirname, file)).name);
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(names.length - new Set(names).size).toBe(0);
  expect(scenarioFiles().filter((file) => file.split('/').length !== 2)).toEqual([]);
});

it('expects every code in a scenario, but for those that a decision names', () => {
  expect(Object.keys(codes).filter((code) => !expected.has(code) && !named().includes(code))).toEqual([]);
});

it('names no code in the decision that does not exist, or that a scenario expects', () => {
  expect(named().filter((code) => !Object.hasOwn(codes, code) || expected.has(code))).toEqual([]);
});
