import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { accountShape, nodeId } from './people.ts';
import { inWebhook, repositoryShape } from './repository-shape.ts';
import type { Repository } from './state.ts';

/** What stands in every payload of an app's webhook. */
export function around(scene: Scene, repository: Repository, sender: string): Json {
  const { installationId } = scene.world.github.app;
  return {
    repository: inWebhook(repositoryShape(scene.urls.github, repository)),
    organization: organizationShape(scene, repository.owner),
    sender: accountShape(scene.urls.github, sender),
    installation: { id: installationId, node_id: nodeId('MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u', installationId) },
  };
}

function organizationShape(scene: Scene, login: string): Json {
  const { id } = accountShape(scene.urls.github, login, true);
  const url = `${scene.urls.github}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('O', String(id)),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    description: '',
  };
}
