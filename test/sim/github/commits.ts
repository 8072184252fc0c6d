import { createHash } from 'node:crypto';
import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { accountShape, nodeId } from './people.ts';
import type { Commit, Repository } from './state.ts';

/** The commit a branch, `heads/<branch>`, or full SHA names. */
export function resolve(repository: Repository, ref: string): Commit | undefined {
  const branch = ref.replace(/^refs\//, '').replace(/^heads\//, '');
  return repository.commits[repository.branches[branch] ?? ref];
}

/** A new commit on top of `parent`: its files are the parent's with `changes` over them, where null takes a file away. */
export function makeCommit(scene: Scene, parent: Commit | undefined, changes: Record<string, string | null>, message: string, sha?: string): Commit {
  const at = scene.moment();
  const files: Record<string, string> = { ...parent?.files };
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) delete files[path];
    else files[path] = text;
  }
  const parents = parent === undefined ? [] : [parent.sha];
  return {
    sha:
      sha ??
      createHash('sha1')
        .update(JSON.stringify([parents, message, files, at, scene.world.source.salt]))
        .digest('hex'),
    message,
    at,
    parents,
    files,
  };
}

/** Everything reachable from a commit, itself included. */
export function ancestry(repository: Repository, sha: string): Set<string> {
  const seen = new Set<string>();
  const open = [sha];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(repository.commits[next]?.parents ?? []));
  }
  return seen;
}

export function commitShape(api: string, repository: Repository, commit: Commit): Json {
  const url = `${api}/repos/${repository.owner}/${repository.name}`;
  const html = `https://github.com/${repository.owner}/${repository.name}`;
  const person = { name: 'Kim', email: 'kim@acme.example', date: iso(commit.at) };
  const tree = createHash('sha1').update(JSON.stringify(commit.files)).digest('hex');
  return {
    sha: commit.sha,
    node_id: nodeId('C', commit.sha),
    commit: {
      author: person,
      committer: person,
      message: commit.message,
      tree: { sha: tree, url: `${url}/git/trees/${tree}` },
      url: `${url}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${url}/commits/${commit.sha}`,
    html_url: `${html}/commit/${commit.sha}`,
    comments_url: `${url}/commits/${commit.sha}/comments`,
    author: commit.author === null ? null : accountShape(api, commit.author ?? 'kim'),
    committer: commit.committer === null ? null : accountShape(api, commit.committer ?? commit.author ?? 'kim'),
    parents: commit.parents.map((sha) => ({ sha, url: `${url}/commits/${sha}`, html_url: `${html}/commit/${sha}` })),
  };
}
