/** The value forms `{ from }`, `{ secret }` and `{ keep: true }`: which maps are meant as one, and what is wrong with those that are not exact. */
import type { Code } from '../errors/codes.ts';
import { kindOf, quoted } from '../errors/quoted.ts';
import { brokenReference, parseReference } from '../secrets/reference.ts';
import { type BrokenRule, brokenPlaceholders, type Place } from './placeholder-rules.ts';
import { isFrom, isKeep, isSecret, type PlanPath } from './types.ts';
import { referencePattern, variablePattern } from './value-forms.ts';

type FormName = 'from' | 'secret' | 'keep';

const examples: Readonly<Record<FormName, string>> = {
  from: '`{ from: line.output }`',
  secret: '`{ secret: env://NAME }`',
  keep: '`{ keep: true }`',
};

/** A map that is meant as a form: one of its keys says so with its value, or a form's key is all it has, with a value that is no map or list. */
export const isFormLike = (map: Readonly<Record<string, unknown>>): boolean => formOf(map) !== undefined;

function formOf(map: Readonly<Record<string, unknown>>): FormName | undefined {
  if (isFrom(map)) return 'from';
  if (isSecret(map)) return 'secret';
  if (isKeep(map)) return 'keep';
  const [only, ...others] = Object.keys(map);
  if (only === undefined || others.length > 0 || !Object.hasOwn(examples, only)) return undefined;
  const content = map[only];
  return content === null || typeof content !== 'object' ? (only as FormName) : undefined;
}

/** A map that is meant as a form and is not exact. */
export const isBrokenForm = (map: Readonly<Record<string, unknown>>): boolean => isFormLike(map) && brokenForm(map, [], 'line').length > 0;

export function brokenForm(form: Readonly<Record<string, unknown>>, path: PlanPath, place: Place): readonly BrokenRule[] {
  const name = formOf(form) ?? 'from';
  const at = [...path, name];
  const broken = (code: Code, message: string): BrokenRule[] => [{ code, message, path: at, of: 'value' }];
  if (place === 'provider') return broken('PLAN_INVALID', `${examples[name]} has no meaning in a provider block: write the value out`);
  const extra = Object.keys(form).filter((key) => key !== name);
  const beside = extra.map((key): BrokenRule => {
    const message = `${quoted(key)} stands beside ${quoted(name)}, which is a whole value by itself: remove one of them`;
    return { code: 'PLAN_INVALID', message, path: [...path, key], of: 'key' };
  });
  return [...beside, ...brokenContent(name, form[name], at, broken)];
}

function brokenContent(name: FormName, content: unknown, path: PlanPath, broken: (code: Code, message: string) => BrokenRule[]): readonly BrokenRule[] {
  if (name === 'keep')
    return content === true
      ? []
      : broken('PLAN_INVALID', `\`keep\` takes \`true\`, not ${content === false ? '`false`' : kindOf(content)}: write ${examples.keep}, or the value itself`);
  if (typeof content !== 'string') return broken('PLAN_INVALID', `\`${name}\` takes text, not ${kindOf(content)}: write ${examples[name]}`);
  if (name === 'secret') {
    const placeholders = brokenPlaceholders(content, path, { outputs: 'in the address of a secret' });
    if (placeholders.length > 0) return placeholders;
    const address = content.replaceAll(new RegExp(variablePattern, 'g'), 'x');
    return parseReference(address) === undefined ? broken('PLAN_INVALID', brokenReference(address)) : [];
  }
  const placeholders = brokenPlaceholders(content, path, { outputs: 'in a reference', variables: 'in a reference' });
  if (placeholders.length > 0 || referencePattern.test(content)) return placeholders;
  return broken('REF_UNKNOWN', `${quoted(content)} names no output of a line: write ${examples.from}, with the line's id before the dot`);
}
