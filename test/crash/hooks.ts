/** What GitHub sends of the one repository. */
import { commitOf, repository } from '../ports/workbench.ts';

/** An event as GitHub sends it. */
export interface Hook {
  readonly event: string;
  readonly payload: object;
}

/** A commit's full name, from its short one or from itself. */
export const shaOf = (commit: string): string => (/^[0-9a-f]{40}$/.test(commit) ? commit : commitOf(commit));

const { id, owner, name, defaultBranch } = repository;
const own = { id: Number(id), name, owner: { login: owner, id: 1, type: 'Organization' }, default_branch: defaultBranch, full_name: `${owner}/${name}` };
const sender = { login: 'mona', id: 2, type: 'User' };

/** A pull request's event. @param commit its head, by its short or its full name. */
export function pullHook(action: 'opened' | 'synchronize' | 'reopened' | 'closed', number: number, commit: string): Hook {
  const side = (ref: string, sha: string) => ({ ref, sha, repo: own });
  const pull = { number, state: action === 'closed' ? 'closed' : 'open', head: side(`feat-${number}`, shaOf(commit)), base: side('main', commitOf('base')) };
  return { event: 'pull_request', payload: { action, number, pull_request: pull, repository: own, sender } };
}

/** The event of a push to the default branch. */
export const pushHook = (commit: string): Hook => ({
  event: 'push',
  payload: { ref: `refs/heads/${defaultBranch}`, after: shaOf(commit), deleted: false, repository: own, sender },
});

/** Mona writes a comment on a pull request. The host has it, too, where it is put into `bench.code.written` under that id. */
export function commentHook(number: number, comment: number, body: string): Hook {
  const issue = { number, state: 'open', pull_request: { url: `https://api.github.test/pulls/${number}` } };
  return { event: 'issue_comment', payload: { action: 'created', issue, comment: { id: comment, body, user: sender }, repository: own, sender } };
}

/** A platform has deployed a commit. */
export function deploymentHook(commit: string, state: 'success' | 'failure'): Hook {
  const deployment = { sha: shaOf(commit), environment: 'Preview' };
  return { event: 'deployment_status', payload: { action: 'created', deployment, deployment_status: { state, target_url: null }, repository: own, sender } };
}
