import type { Expectation } from './expectation.ts';
import type { Scenario } from './scenario.ts';

type CodeOr = string | { readonly code?: string | null | undefined } | null | undefined;

const codeOf = (said: CodeOr): (string | null | undefined)[] => [typeof said === 'object' ? said?.code : said];

/** Every code that a scenario expects: of a command, a run, a line, or a warning. */
export function codesIn(scenario: Scenario): string[] {
  const found = scenario.steps.flatMap(({ expect, meanwhile }) => [expect, ...(meanwhile?.do ?? []).map((step) => step.expect)].flatMap(ofExpectation));
  return found.filter((code) => typeof code === 'string');
}

function ofExpectation(expected: Expectation | undefined): (string | null | undefined)[] {
  if (!expected) return [];
  const lines = Object.values(expected.lines ?? {}).flatMap((line) => (typeof line === 'string' ? [] : [line.code]));
  return [...(expected.codes ?? []), expected.code, ...codeOf(expected.problem), ...lines, ...(expected.warnings ?? []).flatMap(codeOf)];
}
