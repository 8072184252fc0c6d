import type { Code } from '../../errors/codes.ts';

/** What a refused request means for whoever sent it. `exists` is set where the body says that such a thing is there already. */
export interface Refusal {
  readonly code: Code;
  readonly exists: boolean;
}

/** True when a provider's text says that what was to be created is there already. */
export const mentionsExisting = (text: string): boolean => /already exists|duplicate|env_conflict|(?<!not)_exists/i.test(text);

/**
 * The one table from HTTP status to code. `body` is the answer's text, unredacted: it is only searched.
 * Providers answer 400 or 422 for a duplicate as often as 409, so there the text decides.
 */
export function classify(status: number, body: string): Refusal {
  const exists = (status === 409 || status === 400 || status === 422) && mentionsExisting(body);
  return { code: exists ? 'PROVIDER_CONFLICT' : codeOf(status), exists };
}

function codeOf(status: number): Code {
  if (status === 401 || status === 403) return 'PROVIDER_AUTH';
  if (status === 404) return 'PROVIDER_NOT_FOUND';
  if (status === 409) return 'PROVIDER_CONFLICT';
  if (status === 423 || status === 429 || status >= 500) return 'PROVIDER_TRANSIENT';
  if (status >= 400) return 'PROVIDER_INVALID';
  return 'PROVIDER_RESPONSE';
}
