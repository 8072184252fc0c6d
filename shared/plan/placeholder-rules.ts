/** The rule of `${…}`: every one is a known variable, and stands where it is filled in. */
import type { Code } from '../errors/codes.ts';
import { didYouMean } from '../errors/nearest.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { placeholdersIn, variableNames } from './context-variables.ts';
import type { PlanPath } from './types.ts';

/** A broken rule: its code, what to write instead, and the path of the value (or of the key) that breaks it. */
export interface BrokenRule {
  readonly code: Code;
  readonly message: string;
  readonly path: PlanPath;
  readonly of: 'key' | 'value';
}

/** `line`: `${…}` is filled in and value forms are resolved. `provider`: neither. */
export type Place = 'line' | 'provider';

/** Each `${…}` of a text that is not known; where none is filled in (`notFilled` says where that is), the known ones too. */
export function brokenPlaceholders(text: string, path: PlanPath, notFilled?: string): readonly BrokenRule[] {
  if (!text.includes('${')) return [];
  const valid = variableNames.map((variable) => `\${${variable}}`);
  const messages = placeholdersIn(text).flatMap(({ name, known }) => {
    if (name === undefined) return [`a \`\${\` is never closed: write ${listed(valid, 'or')}`];
    const written = `\${${name}}`;
    if (!known) return [`${quoted(written)} is not known${didYouMean(written, valid)}: write ${listed(valid, 'or')}`];
    return notFilled === undefined ? [] : [`${quoted(written)} is not filled in ${notFilled}: write the value out`];
  });
  return [...new Set(messages)].map((message) => ({ code: 'CTX_NULL', message, path, of: 'value' }));
}
