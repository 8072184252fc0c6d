import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import type { Permission } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';

const permission = z.enum(['admin', 'maintain', 'write', 'triage', 'read', 'none']);

/**
 * `role_name` tells `maintain` and `triage`, which `permission` has as `write` and `read`; of an organization's own role it holds the name,
 * and then `permission` says what that is worth at least.
 * https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 */
const permissionAnswer = z.object({ permission, role_name: z.string(), user: z.object({ type: z.string() }).nullish() });

/** 404 is an account that GitHub does not know. */
const account = (api: RepositoryApi, login: string) =>
  orAbsent(api.ask({ route: 'GET /collaborators/{username}/permission', parameters: { username: login } }, permissionAnswer));

/** The same answer tells what kind of account it is: `User`, `Bot`, `Organization`. */
export const isPerson = async (api: RepositoryApi, login: string): Promise<boolean> => (await account(api, login))?.user?.type === 'User';

export async function permissionOf(api: RepositoryApi, login: string): Promise<Permission> {
  const answer = await account(api, login);
  if (answer === undefined) return 'none';
  const role = permission.safeParse(answer.role_name);
  return role.success ? role.data : answer.permission;
}

/** Null, or an empty object, where the commit's address belongs to no account. */
const byline = z.object({ login: z.string().min(1).optional() }).nullable();
const commitAnswer = z.object({ author: byline, committer: byline });

/** Commits whatever is done in GitHub's pages, for whoever did it. */
const forEverybody = 'web-flow';

export async function authorsOf(api: RepositoryApi, commit: string): Promise<readonly string[]> {
  const { author, committer } = await api.ask({ route: 'GET /commits/{commit}', parameters: { commit, per_page: 1 } }, commitAnswer);
  const logins = [author?.login, committer?.login].filter((login) => login !== undefined && login !== forEverybody);
  return [...new Set(logins as string[])];
}
