import { createHash } from 'node:crypto';
import type { Json } from '../wire/answer.ts';

/** The number GitHub would give an account, the same for the same name. */
export function accountId(login: string): number {
  return 1_000_000 + (createHash('sha256').update(login).digest().readUInt32BE(0) % 90_000_000);
}

export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64url');
}

/** An account as the API shows it. Names that end in `[bot]` are apps. */
export function accountShape(api: string, login: string, organization = false): Json {
  const id = accountId(login);
  const url = `${api}/users/${encodeURIComponent(login)}`;
  const bot = login.endsWith('[bot]');
  return {
    login,
    id,
    node_id: nodeId('U', id),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: bot ? `https://github.com/apps/${login.slice(0, -5)}` : `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: bot ? 'Bot' : organization ? 'Organization' : 'User',
    user_view_type: 'public',
    site_admin: false,
  };
}
