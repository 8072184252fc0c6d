/** Says whether a repository may start anything. */
export type AllowList = (repository: { readonly id: string; readonly owner: string; readonly name: string }) => boolean;

/**
 * Reads REPOSITORIES: a comma-separated list of `owner/name`, `owner/*`, numeric repository ids, or `*` for every one.
 * Names are compared without regard to case, as GitHub does. An empty list allows none.
 */
export function allowList(text: string): AllowList {
  const entries = new Set(
    text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ''),
  );
  return ({ id, owner, name }) => ['*', id, `${owner}/*`, `${owner}/${name}`].some((entry) => entries.has(entry.toLowerCase()));
}
