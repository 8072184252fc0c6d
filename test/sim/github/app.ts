import type { Answer, Incoming } from '../wire/answer.ts';
import { objectOf } from '../wire/answer.ts';
import { alphanumeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { appShape, installationShape, permissions } from './app-shape.ts';
import { githubError, notFound } from './errors.ts';
import { repositoryShape } from './repository-shape.ts';
import type { Repository } from './state.ts';

/** How long an installation token works, in milliseconds. */
const lifetime = 3_600_000;

export function getApp(_request: Incoming, scene: Scene): Answer {
  return { status: 200, body: appShape(scene) };
}

export function getHookConfig(_request: Incoming, { world }: Scene): Answer {
  const { hook = { url: '' } } = world.github;
  return { status: 200, body: { content_type: 'json', insecure_ssl: '0', secret: '********', ...hook } };
}

/** One installation, that of whoever owns the repositories. */
export function listInstallations(_request: Incoming, scene: Scene): Answer {
  const [first] = scene.world.github.repositories.filter((each) => each.installed);
  return { status: 200, body: first === undefined ? [] : [installationShape(scene, first)] };
}

export function getInstallation(_request: Incoming, scene: Scene, repository: Repository): Answer {
  return repository.installed ? { status: 200, body: installationShape(scene, repository) } : notFound();
}

export function createToken(request: Incoming, scene: Scene): Answer {
  const { github, source } = scene.world;
  if (Number(request.params['installation']) !== github.app.installationId) return notFound();
  const wanted = objectOf(request.body) ?? {};
  const installed = github.repositories.filter((each) => each.installed);
  const narrowed = Array.isArray(wanted['repositories']) || Array.isArray(wanted['repository_ids']);
  const names = Array.isArray(wanted['repositories']) ? wanted['repositories'] : [];
  const ids = Array.isArray(wanted['repository_ids']) ? wanted['repository_ids'] : [];
  const chosen = narrowed ? installed.filter((each) => names.includes(each.name) || ids.includes(each.id)) : installed;
  if (chosen.length < names.length + ids.length)
    return githubError(422, 'There is at least one repository that does not exist or is not accessible to the parent installation.');
  const token = `ghs_${alphanumeric(source, 36)}`;
  const expires = scene.now + lifetime;
  github.tokens[token] = expires;
  return {
    status: 201,
    body: {
      token,
      expires_at: iso(Math.floor(expires / 1000) * 1000),
      permissions: objectOf(wanted['permissions']) ?? permissions,
      repository_selection: 'selected',
      ...(narrowed ? { repositories: chosen.map((each) => repositoryShape(scene.urls.github, each)) } : {}),
    },
  };
}
