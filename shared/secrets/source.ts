/** What a source knows of one name. `why` is a clause for a person, and holds no value. */
export type Resolution = { readonly found: true; readonly value: string } | { readonly found: false; readonly why: string };

/**
 * Where secrets and provider credentials come from, by environment and name. Answers are not cached: a run asks once, when
 * it is prepared, and seals what it was told (`sealed-set.ts`).
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the source itself does not answer.
 */
export interface SecretSource {
  resolve(environment: string, name: string): Promise<Resolution>;
}
