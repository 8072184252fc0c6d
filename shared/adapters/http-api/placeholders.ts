import { LockkeeperError } from '../../errors/error.ts';

/** `{name}` in a path: a variable of the line, or `{id}`, the provider's id. `${…}` is the plan file's own and filled in before. */
const placeholder = /(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

/** The names in a path, each once. */
export const placeholdersIn = (path: string): readonly string[] => [...new Set([...path.matchAll(placeholder)].map(([, name]) => name as string))];

/**
 * A path with its placeholders filled in, each value URI-encoded. Those without a value stay.
 *
 * @throws LockkeeperError PARAM_INVALID where the path would lead above the API's address: an empty value, `.` or `..` as a step.
 */
export function filled(path: string, values: Readonly<Record<string, string>>): string {
  const whole = path.replaceAll(placeholder, (text, name: string) => (Object.hasOwn(values, name) ? encodeURIComponent(values[name] as string) : text));
  const [below = ''] = whole.split(/[?#]/);
  const steps = below.split('/').slice(1);
  const empty = Object.entries(values).find(([name, value]) => value === '' && path.includes(`{${name}}`));
  if (empty) throw invalid(path, `\`${empty[0]}\` is empty`);
  if (!path.startsWith('/')) throw invalid(path, 'a path starts with `/`');
  if (whole.includes('#') || steps.some((step) => /^(\.|%2e){1,2}$/i.test(step))) throw invalid(path, 'a step of it is `.` or `..`, or it has a `#`');
  return whole;
}

/** The same for a name that people see: the marks of outputs that are not there yet stay readable, so that they can be put in later. */
export function named(path: string, values: Readonly<Record<string, string>>): string {
  const encode = (value: string) => (/^\{[^{}]+\}$/.test(value) ? value : encodeURIComponent(value));
  return path.replaceAll(placeholder, (text, name: string) => (Object.hasOwn(values, name) ? encode(values[name] as string) : text));
}

const invalid = (path: string, why: string): LockkeeperError =>
  new LockkeeperError({ code: 'PARAM_INVALID', message: `The path \`${path}\` cannot be asked for: ${why}.`, details: { path } });
