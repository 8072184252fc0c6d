import type { SecretReference } from './reference.ts';

/** What a source knows of one reference. `why` is a clause for a person, and holds no value. */
export type Resolution = { readonly found: true; readonly value: string } | { readonly found: false; readonly why: string };

/**
 * Where secrets come from, by environment and reference; a provider's credential is `env://` and its variable. Answers are not
 * cached: a run asks once, when it is prepared, and seals what it was told (`sealed-set.ts`). A source ends by itself within a time
 * that a control step can spare.
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the source itself does not answer.
 */
export interface SecretSource {
  resolve(environment: string, reference: SecretReference): Promise<Resolution>;
}
