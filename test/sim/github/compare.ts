import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { ancestry, commitShape, resolve } from './commits.ts';
import { notFound } from './errors.ts';
import type { Repository } from './state.ts';

/** `GET /compare/{base}...{head}`: how head stands to base. */
export function compare(request: Incoming, scene: Scene, repository: Repository): Answer {
  const [from, to] = (request.params['basehead'] ?? '').split('...');
  const base = resolve(repository, from ?? '');
  const head = resolve(repository, to ?? '');
  if (base === undefined || head === undefined) return notFound();
  const ofBase = ancestry(repository, base.sha);
  const ofHead = ancestry(repository, head.sha);
  const ahead = [...ofHead].filter((sha) => !ofBase.has(sha)).flatMap((sha) => repository.commits[sha] ?? []);
  const behind = [...ofBase].filter((sha) => !ofHead.has(sha)).length;
  const shared = [...ofHead].filter((sha) => ofBase.has(sha)).flatMap((sha) => repository.commits[sha] ?? []);
  const [merge] = shared.toSorted((a, b) => b.at - a.at);
  if (merge === undefined) return notFound();
  const api = scene.urls.github;
  const url = `${api}/repos/${repository.owner}/${repository.name}/compare/${from}...${to}`;
  const html = `https://github.com/${repository.owner}/${repository.name}/compare/${from}...${to}`;
  return {
    status: 200,
    body: {
      url,
      html_url: html,
      permalink_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      base_commit: commitShape(api, repository, base),
      merge_base_commit: commitShape(api, repository, merge),
      status: statusOf(ahead.length, behind),
      ahead_by: ahead.length,
      behind_by: behind,
      total_commits: ahead.length,
      commits: ahead.toSorted((a, b) => a.at - b.at).map((commit) => commitShape(api, repository, commit)),
      files: [],
    },
  };
}

function statusOf(ahead: number, behind: number): 'identical' | 'ahead' | 'behind' | 'diverged' {
  if (ahead === 0) return behind === 0 ? 'identical' : 'behind';
  return behind === 0 ? 'ahead' : 'diverged';
}
