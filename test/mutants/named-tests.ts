/**
 * Takes vitest's place in a graph of modules: the tests of the files that are loaded there are noted instead of run, so that each can be run
 * alone, in a process that runs others of other graphs. It knows what those files use, and no more.
 */
import { format } from 'node:util';

export { expect } from 'vitest';

type Body = (...given: readonly unknown[]) => unknown;

interface Suite {
  readonly around: Suite | undefined;
  readonly before: Body[];
  readonly after: Body[];
}

interface NamedTest {
  /** As vitest would report it. */
  readonly title: string;
  readonly suite: Suite;
  readonly body: Body;
}

const noted: NamedTest[] = [];
let suite: Suite = { around: undefined, before: [], after: [] };

/** What `test` and `describe` are given behind a title is a function, and options or a time before or after it. */
const bodyIn = (given: readonly unknown[]): Body => given.find((one) => typeof one === 'function') as Body;

/** A title in which a case's values stand. Those that it does not ask for are left out. */
const filled = (title: string, values: readonly unknown[]): string => format(title, ...values.slice(0, title.match(/%[sdijo]/g)?.length ?? 0));

const withEach = (note: (title: string, body: Body) => void) => {
  const each =
    (cases: readonly unknown[]) =>
    (title: string, ...given: readonly unknown[]): void => {
      for (const one of cases) {
        const values = Array.isArray(one) ? one : [one];
        note(filled(title, values), () => bodyIn(given)(...values));
      }
    };
  return Object.assign((title: string, ...given: readonly unknown[]): void => note(title, bodyIn(given)), { each });
};

export const test = withEach((title, body) => void noted.push({ title, suite, body }));

export const describe = withEach((_title, body) => {
  const around = suite;
  suite = { around, before: [], after: [] };
  const out = body();
  if (out instanceof Promise) throw new Error('a suite that is put together later is not noted');
  suite = around;
});

export const beforeEach = (body: Body): void => void suite.before.push(body);
export const afterEach = (body: Body): void => void suite.after.push(body);

/** A suite and those that it stands in, from the outside in. */
const within = (one: Suite | undefined): readonly Suite[] => (one ? [...within(one.around), one] : []);

/** Runs a test with what its suites have before and after it. @returns what it fails of. */
async function run(one: NamedTest): Promise<string[]> {
  const suites = within(one.suite);
  const failures: string[] = [];
  const passes = async (body: Body): Promise<boolean> => {
    try {
      await body();
      return true;
    } catch (error) {
      failures.push(String(error));
      return false;
    }
  };
  for (const body of [...suites.flatMap(({ before }) => before), one.body]) if (!(await passes(body))) break;
  for (const body of suites.toReversed().flatMap(({ after }) => after)) await passes(body);
  return failures;
}

/**
 * Runs the tests of a title: one, or one of each suite that has it.
 *
 * @returns undefined when they pass, else what the first of them fails of. @throws Error when there is none.
 */
export async function failureOf(title: string): Promise<string | undefined> {
  const named = noted.filter((one) => one.title === title);
  if (named.length === 0) throw new Error(`no test is named “${title}”`);
  const failures: string[] = [];
  for (const one of named) failures.push(...(await run(one)));
  return failures[0];
}
