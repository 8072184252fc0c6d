import type { z } from 'zod';

/** An answer that could be read, or one sentence on why not; the sentence names fields and kinds, never a value. */
export type ParsedAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly wrong: string };

const issuesNamed = 3;

/** Judges the text of a successful answer by the request's shape. An empty body is `undefined`, which `z.unknown()` takes. */
export function parseAnswer<T>(text: string, shape: z.ZodType<T>): ParsedAnswer<T> {
  const empty = text.trim() === '';
  const json = empty ? { value: undefined } : jsonOf(text);
  if (json === undefined) return { ok: false, wrong: 'the answer is not JSON' };
  const judged = shape.safeParse(json.value);
  if (judged.success) return { ok: true, value: judged.data };
  return { ok: false, wrong: empty ? 'the answer is empty' : judged.error.issues.slice(0, issuesNamed).map(nameIssue).join('; ') };
}

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function nameIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'the answer' : issue.path.map(String).join('.');
  return issue.code === 'invalid_type' ? `${where} should be ${issue.expected}` : `${where} has an unexpected value (${issue.code})`;
}
