/** Where a release belongs, as far as its scope goes. `defaultBranch` is undefined where the host cannot be asked. */
export interface Whereabouts {
  readonly pullRequest: number | undefined;
  readonly branch: string;
  readonly defaultBranch: string | undefined;
}

/** The scope of the default branch, whatever that is called. */
export const mainScope = 'main';

/**
 * The scope's readable name: `pr-<n>` in a pull request, `main` on the default branch alone, else `branch-<name>`.
 *
 * Two branches never share a scope, since they would share ledger, lease and destroy: each byte outside `[A-Za-z0-9._-]`
 * becomes `~` and two hex digits (`feat/x` → `branch-feat~2Fx`). Git allows no `~` in a branch, URLs need not escape it.
 */
export function scopeName({ pullRequest, branch, defaultBranch }: Whereabouts): string {
  if (pullRequest !== undefined) return `pr-${pullRequest}`;
  if (branch === defaultBranch) return mainScope;
  return `branch-${branch.replace(/[^A-Za-z0-9._-]/gu, escapeCharacter)}`;
}

function escapeCharacter(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `~${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** What a scope belongs to, read back from its name; `main` belongs to the default branch, whatever that is called. */
export type ScopeOwner = { readonly pullRequest: number } | { readonly branch: string } | 'default branch';

/**
 * Whose scope that is: the inverse of {@link scopeName}. Undefined for a name that it never makes.
 */
export function scopeOwner(scope: string): ScopeOwner | undefined {
  if (scope === mainScope) return 'default branch';
  const number = /^pr-([1-9]\d*)$/.exec(scope)?.[1];
  if (number !== undefined) return { pullRequest: Number(number) };
  const escaped = /^branch-((?:[A-Za-z0-9._-]|~[0-9A-F]{2})+)$/.exec(scope)?.[1];
  if (escaped === undefined) return undefined;
  try {
    return { branch: decodeURIComponent(escaped.replaceAll('~', '%')) };
  } catch {
    return undefined;
  }
}
