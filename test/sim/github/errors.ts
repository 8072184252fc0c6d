import type { Answer } from '../wire/answer.ts';

/** GitHub's error shape. */
export function githubError(status: number, message: string, more: Record<string, unknown> = {}): Answer {
  return { status, body: { message, ...more, documentation_url: 'https://docs.github.com/rest', status: String(status) } };
}

export const notFound = (): Answer => githubError(404, 'Not Found');

/** The 422 for a field that breaks a rule. */
export function invalid(resource: string, field: string, code: string, message?: string): Answer {
  return githubError(422, 'Validation Failed', { errors: [{ resource, field, code, ...(message === undefined ? {} : { message }) }] });
}
