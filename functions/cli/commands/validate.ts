import { registry } from '../../../shared/adapters/registry.ts';
import { type Problem, problemOf } from '../../../shared/errors/error.ts';
import { activateLines } from '../../../shared/plan/activate.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import type { Plan, ReleaseContext } from '../../../shared/plan/types.ts';
import { unknownLines } from '../../../shared/policy/drift-rules.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import type { Policy } from '../../../shared/policy/types.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanBytes } from '../plan-file.ts';
import { policyFileIn } from '../policy-file.ts';
import { findingsText } from '../problem-text.ts';
import type { Surroundings } from '../surroundings.ts';

/** How many lines run in an environment. */
interface Checked {
  readonly name: string;
  readonly lines: number;
}

/**
 * Judges the plan file in the environment given, else in each it knows, and the policy file of the folder where there is one: what is
 * wrong with that would stop every run once it is on the default branch. Neither git nor anything outside the files is asked.
 */
export function validate(invocation: Invocation, { cwd }: Pick<Surroundings, 'cwd'>): Answer {
  const read = readPlan(readPlanBytes(cwd, invocation.plan), invocation.plan, registry);
  const { environments, problems: mistakes } = read.plan ? judged(read.plan, invocation) : { environments: [], problems: read.problems };
  const policy = policyFileIn(cwd);
  const problems = [...mistakes, ...(policy?.problems ?? [])];
  const warnings = [
    ...read.warnings,
    ...(policy?.warnings ?? []),
    ...(read.plan && policy?.policy ? unknownThere(read.plan, policy.policy, environments) : []),
  ];
  const [problem] = problems;
  return {
    exit: problem ? 2 : 0,
    ...(problem ? { problem } : {}),
    document: { file: invocation.plan, environments, problems, warnings, ...(policy === undefined ? {} : { policy: policyPath }) },
    text: (screen) => {
      const findings = findingsText([...problems, ...warnings], screen);
      if (problem) {
        const places = [mistakesIn(mistakes, invocation.plan), mistakesIn(policy?.problems ?? [], policyPath)].filter((place) => place !== undefined);
        return `${findings}${places.join(', ')}.\n`;
      }
      const where = environments.map(({ name, lines }) => `${plain(name)} (${count(lines, 'line')})`).join(', ');
      return `${findings}${screen.paint('done', '=')} ${plain(invocation.plan)} is valid: ${where}.\n${policy ? `${screen.paint('done', '=')} ${policyPath} is valid.\n` : ''}`;
    },
  };
}

/** Lines that policy names and this plan does not have, in any of the environments that were judged. */
const unknownThere = ({ lines }: Plan, policy: Policy, environments: readonly Checked[]): Problem[] =>
  environments.flatMap(({ name }) =>
    unknownLines(
      policy,
      name,
      lines.filter((line) => line.environments?.includes(name) ?? true).map(({ id }) => id),
    ),
  );

const mistakesIn = ({ length }: readonly Problem[], file: string): string | undefined =>
  length === 0 ? undefined : `${count(length, 'mistake')} in ${plain(file)}`;

function judged(plan: Plan, invocation: Invocation): { environments: Checked[]; problems: Problem[] } {
  const environments: Checked[] = [];
  const problems = new Map<string, Problem>();
  for (const name of invocation.env === undefined ? plan.environments : [invocation.env]) {
    try {
      environments.push({ name, lines: activateLines(plan, anyRelease(name, invocation), registry).length });
    } catch (error) {
      const all = problemOf(error).details?.['problems'] as readonly Problem[] | undefined;
      for (const problem of all ?? [problemOf(error)]) problems.set(JSON.stringify([problem.code, problem.message, problem.at]), problem);
    }
  }
  return { environments, problems: [...problems.values()] };
}

/** A release that has a value for every variable: what a plan says in a pull request is judged wherever it is checked. */
function anyRelease(environment: string, { branch = 'branch', sha = '0'.repeat(40), pr = 1 }: Invocation): ReleaseContext {
  return { environment, scope: `pr-${pr}`, branch, sha, pullRequest: pr };
}
