import type { ReleaseContext } from './types.ts';

/** Every `${…}` the plan file knows, and what it stands for. Undefined: it has no value in this release. */
const variables = {
  'ctx.env': (context) => context.environment,
  'ctx.scope': (context) => context.scope,
  'ctx.git.branch': (context) => context.branch,
  'ctx.git.sha': (context) => context.sha,
  'ctx.git.short_sha': (context) => context.sha.slice(0, 7),
  'ctx.pr.number': (context) => context.pullRequest?.toString(),
} as const satisfies Record<string, (context: ReleaseContext) => string | undefined>;

export const variableNames: readonly string[] = Object.keys(variables);

/** A `${` that opens no known variable, for schemas that know patterns alone. */
export const unknownPlaceholderPattern = new RegExp(`\\$\\{(?!(${variableNames.map((name) => name.replaceAll('.', '\\.')).join('|')})\\})`);

/** One `${…}` in a text. `name` is what stands between the braces; undefined where the closing brace is missing. */
export interface Placeholder {
  readonly name: string | undefined;
  readonly known: boolean;
}

/** Every `${…}` of a text, in order. Anything that opens with `${` counts: there is no way to write one that is only text. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  const found: Placeholder[] = [];
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', start + 2)) {
    const end = text.indexOf('}', start);
    const name = end === -1 ? undefined : text.slice(start + 2, end);
    found.push({ name, known: name !== undefined && Object.hasOwn(variables, name) });
    if (end === -1) break;
  }
  return found;
}

/** The text with every `${…}` filled in, or the name of the first that has no value. What is filled in is never read again. */
export function fillIn(text: string, context: ReleaseContext): { readonly text: string } | { readonly missing: string } {
  let missing: string | undefined;
  const filled = text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name as keyof typeof variables](context) : undefined;
    if (value === undefined) missing ??= name;
    return value ?? '';
  });
  return missing === undefined ? { text: filled } : { missing };
}
