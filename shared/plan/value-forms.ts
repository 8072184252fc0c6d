/**
 * The forms a value may take in the plan file, as zod schemas. Ops build their `params` from `value(…)`;
 * the parser and the JSON Schema use the same forms, so that the three cannot drift apart.
 */
import { z } from 'zod';
import { schemes } from '../secrets/reference.ts';

/** `<line>.<output>`: a line's id, a dot, and the output's name, which may hold dots itself. */
export const referencePattern = /^[a-z][a-z0-9_-]*\..+$/;
/** `<scheme>://<rest>`, as in `env://DATABASE_URL`. The rest belongs to the secret source, and may hold `${ctx.…}`. */
const secretPattern = new RegExp(`^(${Object.keys(schemes).join('|')})://.+$`);
/** Text with a `${ctx.…}` in it: judged by the literal's own schema only after it is filled in. */
export const variablePattern = /\$\{ctx\.[^}]*\}/;
/** The same with a `${lines.…}` in it: what comes of it is known when the other line is done. */
const templatePattern = /\$\{(ctx|lines)\.[^}]*\}/;

export const fromForm = z
  .strictObject({ from: z.string().regex(referencePattern, { abort: true }) })
  .meta({ id: 'from', description: "Another line's output, as `<line>.<output>`. The other line runs first." });
export const secretForm = z.strictObject({ secret: z.string().regex(secretPattern, { abort: true }) }).meta({
  id: 'secret',
  description:
    'A secret by its address, as `env://NAME`: its source comes before `://`. The value is read when a run is prepared, and is stored nowhere in clear.',
});
export const keepForm = z
  .strictObject({ keep: z.literal(true) })
  .meta({ id: 'keep', description: 'Whatever is live stays: only existence and ownership are managed.' });
const variableText = z
  .string()
  .regex(/^(?![\s\S]*\$\{lines\.)[\s\S]*\$\{ctx\.[^}]*\}/, { abort: true })
  .meta({
    id: 'variables',
    description: 'Text with `${ctx.env}`, `${ctx.scope}`, `${ctx.git.branch}`, `${ctx.git.sha}`, `${ctx.git.short_sha}` or `${ctx.pr.number}` in it.',
  });
export const templateText = z.string().regex(templatePattern, { abort: true }).meta({
  id: 'template',
  description:
    'Text with variables as `${ctx.scope}`, or outputs of other lines as `${lines.<id>.<output>}` in it. Those lines run first; the text is as sensitive as what stands in it.',
});

/** A literal of the given shape, or text with `${ctx.…}` in it: for parameters that take no value form, since they decide what else is read. */
export function templated<T extends z.ZodType>(literal: T) {
  return z.union([literal, variableText]);
}

/** Any literal: string, number or boolean. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

/**
 * One value of an op's parameters: a literal of the given shape, text with `${ctx.…}` or `${lines.…}`, `{ from }`, `{ secret }` or `{ keep: true }`.
 *
 * @example params: z.strictObject({ name: value(z.string()).optional(), values: z.record(z.string(), value(scalar)).default({}) })
 */
export function value<T extends z.ZodType>(literal: T) {
  return z.union([literal, templateText, fromForm, secretForm, keepForm]);
}
