import { createHash } from 'node:crypto';
import type { Answer, Incoming, Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { resolve } from './commits.ts';
import { githubError, notFound } from './errors.ts';
import type { Repository } from './state.ts';

/** Above this size GitHub leaves the content of a file out of the JSON. */
const inlineLimit = 1_048_576;

export function getContents(request: Incoming, scene: Scene, repository: Repository): Answer {
  const path = (request.params['path'] ?? '').replace(/\/+$/, '');
  const ref = request.query.get('ref') ?? repository.defaultBranch;
  const commit = resolve(repository, ref);
  if (commit === undefined) return githubError(404, `No commit found for the ref ${ref}`);
  const text = commit.files[path];
  if (text !== undefined) {
    if (wantsRaw(request)) return { status: 200, raw: text, type: 'application/vnd.github.raw+json; charset=utf-8' };
    return { status: 200, body: fileShape(scene, repository, ref, path, text, true) };
  }
  const inside = Object.entries(commit.files).filter(([file]) => file.startsWith(`${path}/`));
  if (inside.length === 0) return notFound();
  const direct = inside.filter(([file]) => !file.slice(path.length + 1).includes('/'));
  return { status: 200, body: direct.map(([file, content]) => fileShape(scene, repository, ref, file, content, false)) };
}

function wantsRaw(request: Incoming): boolean {
  return /application\/vnd\.github(\.v3)?\.raw\b/.test(request.headers['accept'] ?? '');
}

function fileShape(scene: Scene, repository: Repository, ref: string, path: string, text: string, withContent: boolean): Json {
  const bytes = Buffer.from(text);
  const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const html = `https://github.com/${repository.owner}/${repository.name}/blob/${ref}/${path}`;
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const small = bytes.length <= inlineLimit;
  return {
    name: path.split('/').at(-1),
    path,
    sha,
    size: bytes.length,
    url: self,
    html_url: html,
    git_url: `${api}/git/blobs/${sha}`,
    download_url: `https://raw.githubusercontent.com/${repository.owner}/${repository.name}/${ref}/${path}`,
    type: 'file',
    ...(withContent ? { content: small ? wrapped(bytes.toString('base64')) : '', encoding: small ? 'base64' : 'none' } : {}),
    _links: { self, git: `${api}/git/blobs/${sha}`, html },
  };
}

/** GitHub breaks base64 after 60 characters. */
function wrapped(text: string): string {
  return text.replace(/.{1,60}/g, '$&\n');
}
