import { base64Forms, flattenedForms, hexForm, htmlForms, jsonForms, percentForms } from './encodings.ts';

/** Shorter values and spellings would mask half of every text: they are counted, never masked. */
export const shortest = 4;
/** Of a longer value the first or the last so many characters are masked too, where only they stand. */
const fragment = 16;
/** Lines of a multi-line value from this length on are masked on their own. */
const shortestLine = 8;

/** One spelling of a value. From `fragment` characters on, its head or tail alone is masked too; undefined: never. */
export interface Form {
  readonly text: string;
  readonly fragment: number | undefined;
}

/** Every spelling of a value that must not survive (design "Values"), those in hex apart; two parts of it may have the same. */
export function formsOf(value: string): { readonly forms: Form[]; readonly hex: Form[] } {
  const lines = value.split(/\r\n|\r|\n/).filter((line) => line.length >= shortestLine);
  const parts = [...new Set([value, ...flattenedForms(value), ...lines])];
  const long = (form: Form) => form.text.length >= shortest;
  return {
    forms: parts.flatMap(spellings).filter(long),
    hex: parts.map((part) => formOf(part, hexForm(part))).filter(({ text }) => text.length >= 2 * shortest),
  };
}

function spellings(value: string): Form[] {
  const texts = new Set([value, ...jsonForms(value), ...percentForms(value), ...base64Forms(value), ...htmlForms(value)]);
  return Array.from(texts, (text) => formOf(value, text));
}

/** An encoding stretches the value: its fragment is as many characters as the sixteen of the value take. */
const formOf = (value: string, text: string): Form => ({
  text,
  fragment: value.length > fragment ? Math.ceil((fragment * text.length) / value.length) : undefined,
});
