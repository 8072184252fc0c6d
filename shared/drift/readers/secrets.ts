import { createRedactor } from '../../redact/redactor.ts';
import { jsonInside } from '../sensitive-key.ts';
import { ExactNumber, isList, isMap, type Json } from './json.ts';

/** Gathers the values that an input marks, anywhere in it, before anything of it is told. */
export interface MarkedValues {
  /** A value that somebody marked: it, each of its leaves, and each leaf of the JSON that a text of it holds. */
  add(value: Json | undefined): void;
  /** Adds what is marked in `value` by a tool's tree of marks: `true` marks the whole of it, a map or a list its parts. */
  addMarked(value: Json | undefined, marks: Json | undefined): void;
  secrets(): Secrets;
}

/** What must not come out, in no spelling. */
export interface Secrets {
  /** Whether a text carries one, or a fragment of one. */
  in(text: string): boolean;
}

/** More marked values than that are not looked for one by one: then nothing is shown that has a value in it. */
const mostMarked = 2_000;
const mostMarkedCharacters = 1_000_000;

export function markedValues(): MarkedValues {
  const texts = new Set<string>();
  let characters = 0;
  const note = (text: string): void => {
    if (texts.has(text)) return;
    texts.add(text);
    characters += text.length;
  };
  function add(value: Json | undefined): void {
    if (typeof value === 'number') note(String(value));
    else if (value instanceof ExactNumber) note(value.digits);
    else if (isList(value)) value.forEach(add);
    else if (isMap(value)) Object.values(value).forEach(add);
    else if (typeof value === 'string') {
      note(value);
      const inside = jsonInside(value);
      // What the platform parsed is JSON, with numbers as doubles: the text itself is noted above.
      if (inside !== undefined) add(inside as Json);
    }
  }
  function addMarked(value: Json | undefined, marks: Json | undefined): void {
    if (marks === true) add(value);
    else if (isList(marks) && isList(value)) for (const [index, mark] of marks.entries()) addMarked(value[index], mark);
    else if (isMap(marks) && isMap(value)) for (const [key, mark] of Object.entries(marks)) addMarked(Object.hasOwn(value, key) ? value[key] : undefined, mark);
  }
  function secrets(): Secrets {
    if (texts.size > mostMarked || characters > mostMarkedCharacters) return { in: () => true };
    const redactor = createRedactor(new Set());
    for (const text of texts) redactor.register(text);
    return { in: (text) => redactor.contains(text) };
  }
  return { add, addMarked, secrets };
}

/** Whether a value carries a secret anywhere, in its keys too. */
export function carriesSecret(secrets: Secrets, value: Json | undefined): boolean {
  if (typeof value === 'string') return secrets.in(value);
  if (typeof value === 'number') return secrets.in(String(value));
  if (value instanceof ExactNumber) return secrets.in(value.digits);
  if (isList(value)) return value.some((item) => carriesSecret(secrets, item));
  return isMap(value) && Object.entries(value).some(([key, held]) => secrets.in(key) || carriesSecret(secrets, held));
}
