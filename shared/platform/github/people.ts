import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import { LockkeeperError } from '../../errors/error.ts';
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

const membershipAnswer = z.object({ state: z.string() });

/**
 * Members of a team below it are its members; whoever was invited and has not accepted is `pending`. 404 is no member, or no such team;
 * 403 is an app that may not see members.
 * https://docs.github.com/en/rest/teams/members#get-team-membership-for-a-user
 */
export async function inTeam(api: RepositoryApi, team: string, login: string): Promise<boolean | 'hidden'> {
  const [org, slug] = team.split('/');
  const parameters = { org, team_slug: slug, username: login };
  try {
    const answer = await orAbsent(api.ask({ route: 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}', parameters }, membershipAnswer));
    return answer?.state === 'active';
  } catch (thrown) {
    if (thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_AUTH' && thrown.problem.details?.['status'] === 403) return 'hidden';
    throw thrown;
  }
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
