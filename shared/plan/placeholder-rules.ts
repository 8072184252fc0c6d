/** The rule of `${…}`: every one is a known variable, and stands where it is filled in. */
import type { Code } from '../errors/codes.ts';
import { didYouMean } from '../errors/nearest.ts';
import { listed, quoted } from '../errors/quoted.ts';
import { isVariable, variableNames } from './context-variables.ts';
import { type TextPart, textParts } from './text-parts.ts';
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

/** Where a text stands in which no output, or nothing at all, is filled in: it ends the sentence "… is not filled in". */
export interface NotFilled {
  readonly outputs: string;
  /** Absent: variables are. */
  readonly variables?: string;
}

const known = [...variableNames.map((variable) => `\${${variable}}`), '${lines.<id>.<output>}'];

/** Each `${…}` of a text that means nothing; and where some are not filled in, those too. */
export function brokenPlaceholders(text: string, path: PlanPath, notFilled?: NotFilled): readonly BrokenRule[] {
  if (!text.includes('${')) return [];
  const messages = textParts(text).flatMap((part) => brokenPart(part, notFilled));
  const escaped = notFilled?.variables !== undefined && text.includes('$${') ? [`\`$\${\` is not read ${notFilled.variables}: write the value out`] : [];
  return [...new Set([...messages, ...escaped])].map((message) => ({ code: 'CTX_NULL', message, path, of: 'value' }));
}

function brokenPart(part: TextPart, notFilled: NotFilled | undefined): string[] {
  if (part.is === 'text') return [];
  if (part.is === 'unclosed') return [`a \`\${\` is never closed: write ${listed(known, 'or')}, or \`$\${\` for text`];
  const written = `\${${part.name}}`;
  const where = part.is === 'output' ? notFilled?.outputs : isVariable(part.name) ? notFilled?.variables : undefined;
  if (where !== undefined) return [`${quoted(written)} is not filled in ${where}: write the value out`];
  if (part.is === 'output' || isVariable(part.name)) return [];
  return [`${quoted(written)} is not known${didYouMean(written, known)}: ${remedy(part.name)}`];
}

/** What was meant by a placeholder that means nothing: a secret has a form of its own, an output a prefix. */
function remedy(name: string): string {
  const variable = /^(?:env|secrets?)[.:](?:\/\/)?([A-Za-z_][A-Za-z0-9_]*)$/.exec(name)?.[1];
  if (variable !== undefined || name.includes('://')) {
    const address = name.includes('://') ? name.replace(/^secrets?:(?=[a-z-]+:\/\/)/, '') : `env://${variable}`;
    return `a secret is a whole value and never stands inside a text: write \`{ secret: ${address} }\`, and keep the whole text in it`;
  }
  return `write ${listed(known, 'or')}, or \`$\${\` for text`;
}
