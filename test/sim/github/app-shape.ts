import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { accountShape, nodeId } from './people.ts';
import type { Repository } from './state.ts';

export const permissions = {
  checks: 'write',
  contents: 'read',
  deployments: 'read',
  issues: 'write',
  members: 'read',
  metadata: 'read',
  pull_requests: 'write',
};
export const events = ['check_run', 'check_suite', 'deployment_status', 'issue_comment', 'issues', 'pull_request', 'push'];

/** The moment the app and its installation are said to date from. */
const founded = Date.UTC(2026, 0, 5, 9);

/** The account under which the app writes. */
export function botOf(scene: Scene): string {
  return `${scene.world.github.app.slug}[bot]`;
}

export function appShape(scene: Scene): Json {
  const { app } = scene.world.github;
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    client_id: `Iv23li${app.id}`,
    owner: accountShape(scene.urls.github, 'acme', true),
    name: app.slug,
    description: null,
    external_url: 'https://acme.example',
    html_url: `https://github.com/apps/${app.slug}`,
    created_at: iso(founded),
    updated_at: iso(founded),
    permissions,
    events,
  };
}

export function installationShape(scene: Scene, repository: Repository): Json {
  const { app } = scene.world.github;
  const api = scene.urls.github;
  const account = accountShape(api, repository.owner, true);
  return {
    id: app.installationId,
    account,
    repository_selection: 'selected',
    access_tokens_url: `${api}/app/installations/${app.installationId}/access_tokens`,
    repositories_url: `${api}/installation/repositories`,
    html_url: `https://github.com/organizations/${repository.owner}/settings/installations/${app.installationId}`,
    app_id: app.id,
    app_slug: app.slug,
    client_id: `Iv23li${app.id}`,
    target_id: account['id'],
    target_type: 'Organization',
    permissions,
    events,
    created_at: iso(founded),
    updated_at: iso(founded),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}
