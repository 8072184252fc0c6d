import { spellingsOf } from '../canaries/spellings.ts';
import { canaries } from '../canaries/values.ts';
import type { Scenario, Step } from './scenario.ts';

type File = Scenario['plan'];
type Line = Record<string, unknown>;

const values = Object.fromEntries(canaries.map(({ name }) => [name, { secret: `env://${name}` }]));

/**
 * A scenario in which every line of `vercel.env` writes each canary as well, and Vercel's refusals quote some of them, each time others
 * in other spellings; and after all that a commit at which Vercel refuses every look, quoting more. Undefined where no plan has such a line.
 *
 * @param number of the scenario among all: what is quoted first follows from it.
 */
export function withCanaries(scenario: Scenario, number: number): Scenario | undefined {
  const plan = planned(scenario.plan) ?? scenario.steps.map((step) => step.plan && planned(step.plan)).find(Boolean);
  if (plan === undefined) return undefined;
  let quotes = number * 3;
  const quoted = (rule: NonNullable<Step['chaos']>[number]) =>
    rule.fail === undefined || rule.provider !== 'vercel' ? rule : { ...rule, fail: { ...rule.fail, message: `refused ${quote(quotes++)} for you` } };
  const step = (one: Step): Step => ({
    ...one,
    ...(one.plan === undefined ? {} : { plan: planned(one.plan) ?? one.plan }),
    ...(one.chaos === undefined ? {} : { chaos: one.chaos.map(quoted) }),
    ...(one.meanwhile === undefined ? {} : { meanwhile: { ...one.meanwhile, do: one.meanwhile.do.map(step) as typeof one.meanwhile.do } }),
  });
  const steps = scenario.steps.map(step);
  const last: Step = { push: true, chaos: [quoted({ provider: 'vercel', on: 'GET /**', times: 30, fail: { status: 400 } })] } as Step;
  // A run of another plan file has no part in these secrets: what Vercel quotes to it, it cannot know.
  const isAlone = scenario.steps.every(({ files }) => files === undefined);
  return { ...scenario, plan: planned(scenario.plan) ?? scenario.plan, steps: (isAlone ? [...steps, last] : steps) as Scenario['steps'] };
}

/**
 * A scenario in which the tool of every stack is given each canary as well, and quotes all of them in what it says, each in several spellings.
 * Undefined where no plan has a stack.
 */
export function withCanariesInStacks(scenario: Scenario): Scenario | undefined {
  const given = (file: File): File | undefined => {
    const lines = Array.isArray(file) ? file : undefined;
    return lines?.some(isStack)
      ? lines.map((line) => (isStack(line) ? { ...line, variables: { ...(line['variables'] as Line), ...values } } : line))
      : undefined;
  };
  const plan = given(scenario.plan);
  if (plan === undefined) return undefined;
  const steps = scenario.steps.map((step) => ({ ...step, ...(step.plan === undefined ? {} : { plan: given(step.plan) ?? step.plan }) }));
  const words = canaries
    .filter(({ isWord }) => !isWord)
    .flatMap(({ value }) => spellingsOf(value))
    .map((spelling) => `the tool says ${spelling}`);
  return { ...scenario, plan, steps: [{ stack: { words: words.join('\n') } } as Step, ...steps] as Scenario['steps'] };
}

const isStack = (line: Line): boolean => line['adapter'] === 'terraform';

/** The plan with canaries in it; undefined where it has no line that takes them, or is text. */
function planned(file: File): File | undefined {
  if (typeof file === 'string') return undefined;
  if (Array.isArray(file)) return file.some(takes) ? file.map(given) : undefined;
  const changes = file['changes'];
  if (!Array.isArray(changes) || !changes.some(takes)) return undefined;
  return { ...file, changes: changes.map(given) };
}

const takes = (line: Line): boolean => line['adapter'] === 'vercel' && line['op'] === 'env' && typeof line['values'] === 'object';

const given = (line: Line): Line => (takes(line) ? { ...line, values: { ...(line['values'] as Line), ...values } } : line);

/** Two canaries next to each other, in spellings that change from one refusal to the next. */
function quote(count: number): string {
  const looked = canaries.filter(({ isWord, value }) => !isWord && value.length < 200);
  return [count, count * 5 + 3]
    .map((at) => {
      const spellings = spellingsOf(looked[at % looked.length]?.value ?? '');
      return spellings[(at * 7) % spellings.length] ?? '';
    })
    .join(', ');
}
