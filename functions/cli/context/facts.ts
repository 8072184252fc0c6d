/** What one source knows of the release. `pullRequest: null` says that there is none; an absent field says nothing. */
export interface Facts {
  readonly environment?: string;
  readonly branch?: string;
  readonly sha?: string;
  readonly pullRequest?: number | null;
  readonly defaultBranch?: string;
}

/** Field by field the first source that says something. */
export function firstOf(...sources: readonly Facts[]): Facts {
  return Object.assign({}, ...[...sources].reverse().map(said)) as Facts;
}

/** The facts without fields that are undefined or empty: a variable that is set to nothing says nothing. */
export const said = (facts: { readonly [K in keyof Facts]: Facts[K] | undefined }): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''));
