import { variableValue } from './context-variables.ts';
import { escapeText, outputText, textParts } from './text-parts.ts';
import type { FromForm, ReleaseContext, TextForm } from './types.ts';

/**
 * A text of the plan file with every variable filled in and every escape resolved: the text; a form, where outputs stand in it; or the
 * name of the first variable that has no value. What is filled in is never read again.
 */
export function fillIn(text: string, context: ReleaseContext): string | TextForm | { readonly missing: string } {
  const parts: (string | FromForm)[] = [];
  const add = (piece: string): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + piece;
    else if (piece !== '') parts.push(piece);
  };
  for (const part of textParts(text)) {
    if (part.is === 'output') parts.push({ from: part.from });
    else if (part.is === 'text') add(part.text);
    else {
      const name = part.is === 'placeholder' ? part.name : '';
      const value = variableValue(name, context);
      if (value === undefined) return { missing: name };
      add(value);
    }
  }
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return { from: writtenOf(parts), parts };
}

/** The parts as one text that is read back as these parts: what people see, and what an approval is bound to. */
const writtenOf = (parts: TextForm['parts']): string => parts.map((part) => (typeof part === 'string' ? escapeText(part) : outputText(part.from))).join('');
