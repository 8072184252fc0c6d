import { packedFiles } from '../../../shared/platform/tar-file.ts';
import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { resolve } from './commits.ts';
import { githubError, notFound } from './errors.ts';
import type { Repository } from './state.ts';

/** Below this lies the other host, which takes no token of GitHub's. */
export const codeloadPath = '/codeload/';

/** The same machine under another name: to whoever follows there it is another host. */
export function getTarball(request: Incoming, scene: Scene, repository: Repository): Answer {
  const commit = resolve(repository, request.params['ref'] ?? '');
  if (commit === undefined) return notFound();
  const host = scene.urls.github.replace('127.0.0.1', 'localhost');
  return {
    status: 302,
    headers: { location: `${host}${codeloadPath}${repository.owner}/${repository.name}/legacy.tar.gz/${commit.sha}?token=once-${commit.sha.slice(0, 8)}` },
  };
}

/** Whoever brings a token of GitHub's has shown it to a host that it was not made for. */
export function download(request: Incoming, scene: Scene): Answer {
  const { owner = '', repo = '', sha = '' } = request.params;
  if (request.headers['authorization'] !== undefined) return githubError(400, 'A credential was sent to another host than the one it is for');
  if (request.query.get('token') !== `once-${sha.slice(0, 8)}`) return notFound();
  const commit = scene.world.github.repositories.find((each) => each.owner === owner && each.name === repo)?.commits[sha];
  if (commit === undefined) return notFound();
  const files = Object.entries(commit.files).map(([path, text]) => ({ path, body: Buffer.from(text) }));
  return { status: 200, raw: packedFiles(files, `${owner}-${repo}-${sha.slice(0, 7)}`), type: 'application/x-gzip' };
}
