import { createHash } from 'node:crypto';
import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { around } from './around.ts';
import type { Commit, Repository } from './state.ts';

const nothing = '0'.repeat(40);

export interface PushTold {
  /** `refs/heads/<branch>` or `refs/tags/<tag>`. */
  readonly ref: string;
  /** What it pointed to, and what it points to now; absent: it was not there, or is not any more. */
  readonly before?: string;
  readonly after?: string;
  readonly sender: string;
}

/** The payload of `push`. Times of the repository are seconds there, and it has two names for its default branch. */
export function pushPayload(scene: Scene, repository: Repository, { ref, before = nothing, after = nothing, sender }: PushTold): Json {
  const html = `https://github.com/${repository.owner}/${repository.name}`;
  const commit = repository.commits[after];
  const told = commit === undefined ? null : commitInPush(html, commit);
  const { repository: place, ...others } = around(scene, repository, sender) as { repository: Json & { owner: Json } };
  const seconds = Math.floor(repository.createdAt / 1000);
  return {
    ref,
    before,
    after,
    created: before === nothing,
    deleted: after === nothing,
    forced: false,
    base_ref: null,
    compare: `${html}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: told === null ? [] : [told],
    head_commit: told,
    pusher: { name: sender, email: `${sender}@acme.example` },
    repository: {
      ...place,
      owner: { ...place.owner, name: repository.owner, email: null },
      created_at: seconds,
      pushed_at: seconds,
      stargazers: 0,
      master_branch: repository.defaultBranch,
      organization: repository.owner,
    },
    ...others,
  };
}

function commitInPush(html: string, commit: Commit): Json {
  const person = { name: 'Kim', email: 'kim@acme.example', username: 'kim' };
  return {
    id: commit.sha,
    tree_id: createHash('sha1').update(JSON.stringify(commit.files)).digest('hex'),
    distinct: true,
    message: commit.message,
    timestamp: iso(commit.at),
    url: `${html}/commit/${commit.sha}`,
    author: person,
    committer: person,
    added: [],
    removed: [],
    modified: Object.keys(commit.files),
  };
}
