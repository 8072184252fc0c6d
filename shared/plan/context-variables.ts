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

/** A `${` that opens no known variable and no output, and is not escaped; for schemas that know patterns alone. */
export const unknownPlaceholderPattern = new RegExp(
  `(^|[^$])\\$\\{(?!(${variableNames.map((name) => name.replaceAll('.', '\\.')).join('|')}|lines\\.[a-z][a-z0-9_-]*\\.[^{}\\s]+)\\})`,
);

export const isVariable = (name: string): boolean => Object.hasOwn(variables, name);

/** What a variable stands for here; undefined where it has no value in this release, or is none. */
export const variableValue = (name: string, context: ReleaseContext): string | undefined =>
  isVariable(name) ? variables[name as keyof typeof variables](context) : undefined;
