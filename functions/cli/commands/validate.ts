import { registry } from '../../../shared/adapters/registry.ts';
import { type Problem, problemOf } from '../../../shared/errors/error.ts';
import { activateLines } from '../../../shared/plan/activate.ts';
import { readPlan } from '../../../shared/plan/read.ts';
import type { Plan, ReleaseContext } from '../../../shared/plan/types.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import { count } from '../../../shared/surfaces/words.ts';
import type { Answer } from '../answer.ts';
import type { Invocation } from '../invocation.ts';
import { readPlanBytes } from '../plan-file.ts';
import { findingText } from '../problem-text.ts';
import type { Surroundings } from '../surroundings.ts';

/** How many lines run in an environment. */
interface Checked {
  readonly name: string;
  readonly lines: number;
}

/** Judges the plan file in the environment given, else in each it knows. Neither git nor anything outside the file is asked. */
export function validate(invocation: Invocation, { cwd }: Pick<Surroundings, 'cwd'>): Answer {
  const read = readPlan(readPlanBytes(cwd, invocation.plan), invocation.plan, registry);
  const { environments, problems } = read.plan ? judged(read.plan, invocation) : { environments: [], problems: read.problems };
  const [problem] = problems;
  return {
    exit: problem ? 2 : 0,
    ...(problem ? { problem } : {}),
    document: { file: invocation.plan, environments, problems, warnings: read.warnings },
    text: (screen) => {
      const findings = [...problems, ...read.warnings].map((one) => findingText(one, screen)).join('');
      if (problem) return `${findings}${paintCount(problems.length)} in ${plain(invocation.plan)}.\n`;
      const where = environments.map(({ name, lines }) => `${plain(name)} (${count(lines, 'line')})`).join(', ');
      return `${findings}${screen.paint('done', '=')} ${plain(invocation.plan)} is valid: ${where}.\n`;
    },
  };
}

const paintCount = (problems: number): string => count(problems, 'mistake');

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
